// WebRTC calls (`/rtc/…`) for an SRS server. A body is read completely, within limits, before SRS receives it. SRS refuses WHIP or WHEP by
// closing the connection without a response; the client then gets an error response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@srs-stack/process/logger.ts';
import { request as httpRequest } from '@srs-stack/process/node-http.ts';
import { collectCallBody } from './front/http/call-body.ts';
import { sendFailure, sendText } from './front/http/failure-response.ts';
import type { ForwardedResolver } from './front/http/forwarded.ts';
import { toBackendHeaders, toClientHeaders } from './front/http/proxy-headers.ts';
import { responseHeadersOf } from './front/http/response-headers.ts';
import { discardRest } from './front/http/unread-body.ts';
import { addressKey } from './front/limits/address-key.ts';
import { BodyMemory } from './front/limits/body-memory.ts';
import { bodyMemory } from './front/limits/front-limits.ts';

export interface SrsSignallingOptions {
  /** HTTP API of the server that has the stream (`app/stream`), or of a server that accepts new streams. */
  readonly apiFor: (stream: string | undefined) => Promise<URL>;
  readonly forwarded: ForwardedResolver;
  /** Timeout for the body of a call, milliseconds. */
  readonly bodyMs: number;
  readonly log: Logger;
}

/** Timeout of an SRS server, milliseconds. SRS first calls the control plane, which may call a service of the operator. */
const answerMs = 20_000;
/** Longest response, bytes. An SDP has 10 KB. */
const maxResponseBytes = 256 * 1024;
const framing = ['content-length', 'transfer-encoding', 'expect'];
const refusal = {
  code: 403,
  data: {
    name: 'refused',
    message: 'the media server refused this call: the publish secret or stream name is wrong, or the stream is busy',
  },
};

export function createSrsSignalling(options: SrsSignallingOptions) {
  const { forwarded, bodyMs, log } = options;
  const memory = new BodyMemory(bodyMemory);
  return (request: IncomingMessage, response: ServerResponse): void => {
    const release = collectCallBody(request, {
      memory,
      key: addressKey(forwarded(request).for),
      timeoutMs: bodyMs,
      onComplete: (body) => {
        forward(request, body, options)
          .then((answer) => pass(request, response, answer))
          .catch((error: Error) => {
            log.warn({ reason: error.message }, 'the media server did not respond to a WebRTC signalling request');
            if (!response.headersSent && !response.destroyed)
              sendText(response, 502, 'The media server does not respond.');
          });
      },
      onRefused: (why) => {
        sendFailure(response, why);
        discardRest(request);
      },
    });
    response.once('close', release);
  };
}

/** `silent`: the server closed the connection without a response. */
type Answer = 'silent' | { readonly head: IncomingMessage; readonly body: Buffer };

/** Rejects when the server is unavailable. Uses a new connection: a closed keep-alive connection would look like a refusal. */
async function forward(
  request: IncomingMessage,
  body: Buffer,
  { apiFor, forwarded }: SrsSignallingOptions,
): Promise<Answer> {
  const api = await apiFor(streamOf(request.url ?? '', body));
  const facts = { parsed: request.headers, host: undefined, upgrade: undefined };
  const headers = withoutFraming(toBackendHeaders(request.rawHeaders, forwarded(request), facts));
  return new Promise((resolve, reject) => {
    let isTaken = false;
    const outgoing = httpRequest({
      host: api.hostname.replace(/^\[|\]$/g, ''),
      port: api.port,
      method: request.method,
      path: request.url ?? '/',
      headers: [...headers, 'Content-Length', String(body.length)],
      agent: false,
      signal: AbortSignal.timeout(answerMs),
    });
    outgoing.once('finish', () => {
      isTaken = true;
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (isTaken && error.code === 'ECONNRESET') resolve('silent');
      else reject(error);
    });
    outgoing.once('response', (head) => {
      collect(head).then((bytes) => resolve({ head, body: bytes }), reject);
    });
    outgoing.end(body);
  });
}

/** `app/stream` of a WHIP or WHEP call, of its `Location`, or of the JSON in `publish` and `play`. */
function streamOf(url: string, body: Buffer): string | undefined {
  const query = URL.parse(url, 'http://localhost')?.searchParams;
  if (query?.has('stream')) return `${query.get('app') ?? ''}/${query.get('stream')}`;
  try {
    const { streamurl } = JSON.parse(body.toString('utf8')) as { streamurl?: unknown };
    const path = typeof streamurl === 'string' ? /^\w+:\/\/[^/]+\/([^?]+)/.exec(streamurl)?.[1] : undefined;
    return path && decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function pass(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  if (answer === 'silent' || (request.method === 'POST' && answer.body.length === 0)) {
    const text = JSON.stringify(refusal);
    response.writeHead(refusal.code, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
    return;
  }
  const { head, body } = answer;
  const headers = withoutFraming(toClientHeaders(head.headers, responseHeadersOf(request)));
  response.writeHead(head.statusCode ?? 502, [...headers, 'Content-Length', String(body.length)]);
  response.end(body);
}

async function collect(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxResponseBytes) throw new Error('the response of the media server is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withoutFraming(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !framing.includes(headers[index - (index % 2)]!.toLowerCase()));
}
