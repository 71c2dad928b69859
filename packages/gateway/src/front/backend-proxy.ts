// Passes a request on to another web server and its answer back, at the pace of both. Used for proxied paths, and for the
// media of an SRS that stands beside this product.
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Logger } from '../logger.ts';
import { guardedLookup, isLiteral, RefusedBackend, requireAllowed } from './backend-address.ts';
import { sendText } from './failure-response.ts';
import { backendAnswerMs, backendIdleMs, maxBackendSockets } from './front-limits.ts';

export interface BackendTarget {
  /** Scheme, host and port count. */
  readonly origin: URL;
  /** Path and query to ask for. */
  readonly path: string;
  /** Flat list of headers to send, Host among them. */
  readonly headers: string[];
  /** Flat list of headers of the answer to the client. */
  readonly answerHeaders: (response: IncomingMessage) => string[];
}

export interface BackendProxy {
  forward(request: IncomingMessage, response: ServerResponse, target: BackendTarget): void;
  /** WebSocket and the like. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: BackendTarget): void;
  close(): void;
}

export interface BackendProxyOptions {
  /** Ports of this product, which are no backend. */
  readonly ownPorts: () => ReadonlySet<number>;
  /** Sockets per backend. */
  readonly maxSockets?: number;
  readonly log: Logger;
}

export function createBackendProxy({
  ownPorts,
  maxSockets = maxBackendSockets,
  log,
}: BackendProxyOptions): BackendProxy {
  const options = { keepAlive: true, maxSockets, scheduling: 'lifo' as const };
  const agents = { 'http:': new Agent(options), 'https:': new TlsAgent(options) };

  /** @throws RefusedBackend for a literal address that is not allowed. */
  const open = (method: string, { origin, path, headers }: BackendTarget): ClientRequest => {
    const isSecure = origin.protocol === 'https:';
    const host = origin.hostname.replace(/^\[|\]$/g, '');
    const port = Number(origin.port) || (isSecure ? 443 : 80);
    if (isLiteral(host)) requireAllowed(host, port, ownPorts());
    const common = { host, port, method, path, headers, lookup: guardedLookup(port, ownPorts()) };
    return isSecure
      ? httpsRequest({ ...common, agent: agents['https:'] })
      : httpRequest({ ...common, agent: agents['http:'] });
  };

  const reportAway = (error: Error, { origin }: BackendTarget): void =>
    log.warn({ backend: origin.origin, reason: error.message }, 'a backend gave no answer');

  return {
    forward(request, response, target) {
      const outgoing = openOrRefuse(response, () => open(request.method ?? 'GET', target));
      if (!outgoing) return;
      // Waits for the answer; a stream that has begun may then pause for longer.
      outgoing.setTimeout(backendAnswerMs, () => outgoing.destroy(new Error('it did not answer in time')));
      outgoing.once('error', (error) => {
        if (response.headersSent || response.destroyed) response.destroy();
        else {
          reportAway(error, target);
          sendText(response, 502, 'The server behind this path does not answer.');
        }
      });
      outgoing.once('response', (answer) => {
        outgoing.setTimeout(backendIdleMs, () => outgoing.destroy(new Error('it paused for too long')));
        if (response.destroyed) {
          answer.destroy();
          return;
        }
        response.writeHead(answer.statusCode ?? 502, target.answerHeaders(answer));
        pipeline(answer, response, () => undefined);
      });
      response.once('close', () => {
        if (!response.writableFinished) outgoing.destroy();
      });
      pipeline(request, outgoing, () => undefined);
    },

    upgrade(request, socket, head, target) {
      let outgoing: ClientRequest;
      const refuse = (): void =>
        void socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      try {
        outgoing = open(request.method ?? 'GET', target);
      } catch {
        refuse();
        return;
      }
      outgoing.setTimeout(backendAnswerMs, () => outgoing.destroy(new Error('it did not answer in time')));
      outgoing.once('error', (error) => {
        reportAway(error, target);
        refuse();
      });
      outgoing.once('response', () => {
        outgoing.destroy();
        refuse();
      });
      outgoing.once('upgrade', (answer, backend: Duplex, backendHead) => {
        outgoing.setTimeout(0);
        socket.write(rawHead(answer));
        if (backendHead.length > 0) socket.write(backendHead);
        if (head.length > 0) backend.write(head);
        pipeline(backend, socket, () => undefined);
        pipeline(socket, backend, () => undefined);
      });
      socket.once('close', () => outgoing.destroy());
      outgoing.end();
    },

    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function openOrRefuse(response: ServerResponse, open: () => ClientRequest): ClientRequest | undefined {
  try {
    return open();
  } catch (error) {
    const isRefused = error instanceof RefusedBackend;
    sendText(response, isRefused ? 502 : 400, isRefused ? 'This path leads nowhere.' : 'The request is not valid.');
    return undefined;
  }
}

/** The answer to an upgrade as it came: its headers belong to the two ends. */
function rawHead(answer: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
