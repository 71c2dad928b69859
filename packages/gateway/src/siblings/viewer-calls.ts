// Forwards a request of a viewer to another gateway, which handles the request as if the viewer had connected to it.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { StreamKey } from '@srs-stack/engine';
import { type SharedResponse, SharedResponses } from './shared-responses.ts';
import type { SiblingLink } from './sibling-link.ts';
import { siblingPaths, viewerAddressHeader } from './sibling-paths.ts';
import type { ViewedBytes } from './viewed-bytes.ts';

/** Options of a request for a shared response: no data about a viewer. */
const forNobody = { headers: { [viewerAddressHeader]: '' } };

/** The query parameter with the viewer's session id, in the engine's format. */
const contextPattern = /[?&]hls_ctx=([\w-]{1,64})(?:&|$)/;

export class ViewerCalls {
  readonly #responses = new SharedResponses();
  readonly #viewed: ViewedBytes;

  constructor(viewed: ViewedBytes) {
    this.#viewed = viewed;
  }

  /** Rejects when the gateway does not respond. The viewer has then received no response. */
  async passOn(
    link: SiblingLink,
    stream: StreamKey,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = 'GET', url = '' } = request;
    const { isRemote } = link.target;
    // A range request (RFC 9110 §14.2) is forwarded unchanged.
    const key = request.headers.range ? undefined : this.#responses.keyOf(method, url, isRemote);
    const shared =
      key === undefined
        ? undefined
        : await this.#responses.get(key, () => link.call(siblingPaths.viewer + key, forNobody));
    if (response.destroyed) return;
    if (shared) {
      sendShared(response, shared);
      // Reports the bytes of a shared response to the other gateway, which counts only forwarded requests.
      const context = contextPattern.exec(url)?.[1];
      if (context !== undefined) this.#viewed.add(link, { ...stream, context, bytes: shared.body.length });
      return;
    }
    const left = new AbortController();
    // A playlist request may wait for media. The request is aborted when the viewer disconnects.
    response.once('close', () => left.abort());
    const answer = await send(link, request, url, left.signal);
    if (method === 'GET') this.#responses.learn(url, answer);
    if (response.destroyed) {
      answer.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
    pipeline(answer, response, () => undefined);
  }
}

function send(
  link: SiblingLink,
  request: IncomingMessage,
  url: string,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const { host = '', range, referer, 'user-agent': userAgent } = request.headers;
  const address = (request as { clientAddress?: string }).clientAddress ?? request.socket.remoteAddress ?? '';
  const headers = Object.entries({ host, range, referer, 'user-agent': userAgent, [viewerAddressHeader]: address });
  return link.call(siblingPaths.viewer + url, {
    method: request.method ?? 'GET',
    ...(signal && { signal }),
    headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
  });
}

function sendShared(response: ServerResponse, { headers, body }: SharedResponse): void {
  response.writeHead(200, passedOn(headers)).end(body);
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, date: ___, ...kept } = headers;
  return kept;
}
