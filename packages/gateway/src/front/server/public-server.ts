// The public HTTP and HTTPS servers: limits for slow and oversized requests, start, and graceful stop.
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { ListenAddress, WithSharedBody } from '@srs-stack/engine';
import { paceHandshakes } from '@srs-stack/process/handshake-pace.ts';
import { createServer } from '@srs-stack/process/node-http.ts';
import { listenRefusal } from '@srs-stack/process/start-refusal.ts';
import { everybody } from '@srs-stack/process/turn-queue.ts';
import { closeWithStatus, sendText } from '../http/failure-response.ts';
import { discardRest } from '../http/unread-body.ts';
import { addressKey } from '../limits/address-key.ts';
import {
  connectionCheckIntervalMs,
  handshakeTimeoutMs,
  handshakeTurns,
  headersTimeoutMs,
  keepAliveMs,
  maxConnectionsPerAddress,
  maxHeaderBytes,
  maxHeaderCount,
  maxPublicConnections,
  readerStallMs,
  roomIntervalMs,
  unsentResponses,
} from '../limits/front-limits.ts';
import { UnsentResponses } from '../limits/unsent-responses.ts';
import { hasClearHost } from './host-header.ts';
import { RequestTurns, stoppableParser } from './request-turns.ts';
import { boundUnusedConnections } from './unused-connections.ts';

/** Handles the requests of the servers. */
export interface PublicFront {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Client address of a request that a trusted proxy forwarded. Without this function, all clients of a proxy count as one client. */
  addressOf?(request: IncomingMessage): string;
}

/** Maximum number of listeners on a response before Node warns of a leak. A proxied response has eleven. */
const maxAnswerListeners = 16;

/** Used at a stop to close connections that the HTTP server no longer tracks. */
const turnsOf = new WeakMap<Server | TlsServer, RequestTurns>();

const limits: ServerOptions = {
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: headersTimeoutMs,
  // No timeout here, because an upload may take hours. Each kind of request body has a separate timeout.
  requestTimeout: 0,
  connectionsCheckingInterval: connectionCheckIntervalMs,
  keepAliveTimeout: keepAliveMs,
  noDelay: true,
};

/** @param isTrustedProxy whether the peer forwards many clients. Limits per address do not apply to such a peer. */
export function createHttpServer(front: PublicFront, isTrustedProxy: IsTrustedProxy): Server {
  const turns = createTurns(front, isTrustedProxy);
  return attach(createServer({ ...limits, ...stoppableParser(turns) }), { front, turns, isTrustedProxy });
}

/** The server starts without a certificate. TLS handshakes fail until `setSecureContext` is called. */
export function createHttpsServer(front: PublicFront, isTrustedProxy: IsTrustedProxy): TlsServer {
  const turns = createTurns(front, isTrustedProxy);
  const options = { ...limits, ...stoppableParser(turns), minVersion: 'TLSv1.2', handshakeTimeout: handshakeTimeoutMs };
  const server = createTlsServer(options as TlsOptions & ServerOptions);
  paceHandshakes(server, (socket) => keyOfPeer(socket, isTrustedProxy) ?? everybody, handshakeTurns);
  // A failed handshake ends only one connection.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return attach(server, { front, turns, isTrustedProxy });
}

function createTurns(front: PublicFront, isTrustedProxy: IsTrustedProxy): RequestTurns {
  return new RequestTurns({
    keyOfPeer: (socket) => keyOfPeer(socket, isTrustedProxy),
    keyOfClient: (request) => {
      const address = front.addressOf?.(request);
      // All clients of a proxy that sends no client address count as one client.
      return address === undefined || isTrustedProxy(address) ? everybody : addressKey(address);
    },
    answer: (request, response) => {
      const hasHost = request.headers.host !== undefined || request.httpVersion !== '1.1';
      if (hasHost && hasClearHost(request)) front.onRequest(request, response);
      else sendText(response, 400, 'The Host header is not valid.');
    },
  });
}

type IsTrustedProxy = (address: string) => boolean;

/** Key of the client. Undefined for a trusted proxy, which forwards many clients. */
function keyOfPeer({ remoteAddress = '' }: Socket, isTrustedProxy: IsTrustedProxy): string | undefined {
  return isTrustedProxy(remoteAddress) ? undefined : addressKey(remoteAddress);
}

interface Attached {
  readonly front: PublicFront;
  readonly turns: RequestTurns;
  readonly isTrustedProxy: IsTrustedProxy;
}

function attach<S extends Server | TlsServer>(server: S, { front, turns, isTrustedProxy }: Attached): S {
  server.maxHeadersCount = maxHeaderCount;
  server.maxConnections = maxPublicConnections;
  // When a client closes its side of the connection, queued responses are still sent. `turns` then closes the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  turnsOf.set(server, turns);
  boundUnusedConnections(server);
  limitConnections(server, isTrustedProxy);
  const unsent = new UnsentResponses(unsentResponses);
  const take = (request: IncomingMessage, response: ServerResponse & WithSharedBody): void => {
    boundAnswer(request, response, (bytes) => {
      const { socket } = request;
      const takenBytes = () => socket.bytesWritten - socket.writableLength;
      return unsent.hold({ key: turns.keyOf(request), bytes, takenBytes, cut: () => response.destroy() });
    });
    turns.take(request, response);
  };
  server.on('request', take);
  // Node handles `100-continue`, the only defined expectation. Other values are ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', take);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    if (turns.isFull(socket)) turns.stopReading(socket);
    else if (hasClearHost(request)) turns.takeUpgrade(request, () => front.onUpgrade(request, socket, head));
    else closeWithStatus(socket, 400);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseMalformed(error.code, socket, turns),
  );
  return server;
}

/**
 * Limits how long a complete response may stay unread, and how long the rest of the request body may take.
 * @param hold counts unread bytes of the client. `hold` returns a function that ends the count.
 */
function boundAnswer(
  request: IncomingMessage,
  response: ServerResponse & WithSharedBody,
  hold: (bytes: number) => () => void,
): void {
  response.setMaxListeners(maxAnswerListeners);
  response.once('prefinish', () => {
    const waitingBytes = response.writableLength;
    if (waitingBytes === 0) return;
    response.setTimeout(readerStallMs, () => response.destroy());
    const ownBytes = waitingBytes - (response.sharedBytes ?? 0);
    if (ownBytes > 0) response.once('close', hold(ownBytes));
  });
  response.once('finish', () => discardRest(request));
}

/** Limits the sockets of one address. When all sockets are in use, closes idle sockets. */
function limitConnections(server: Server | TlsServer, isTrustedProxy: IsTrustedProxy): void {
  const countOf = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const key = keyOfPeer(socket, isTrustedProxy) ?? everybody;
    if (key === everybody) return;
    const count = (countOf.get(key) ?? 0) + 1;
    countOf.set(key, count);
    socket.once('close', () => {
      const left = (countOf.get(key) ?? 1) - 1;
      if (left > 0) countOf.set(key, left);
      else countOf.delete(key);
    });
    if (count > maxConnectionsPerAddress) socket.destroy();
  });
  let nextMs = 0;
  server.on('drop', () => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + roomIntervalMs;
    server.closeIdleConnections();
  });
}

/** Responds to an unparsable request after the responses to earlier requests. Then closes the connection. */
function refuseMalformed(code: string | undefined, socket: Duplex, turns: RequestTurns): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  turns.afterAnswers(socket, () => closeWithStatus(socket, statuses[code ?? ''] ?? 400));
}

export interface ListenOptions {
  readonly variable: string;
  readonly address: ListenAddress;
  /** Called for a later failure, such as a missing file descriptor for a new connection. The server continues. */
  readonly onError: (error: Error) => void;
}

/** Resolves with the bound port. @throws StartRefusal with the name of the variable. */
export function listen(server: Server | TlsServer, options: ListenOptions): Promise<number> {
  const { variable, address, onError } = options;
  return new Promise((resolve, reject) => {
    const onFailure = (error: Error): void => reject(listenRefusal(variable, address, error));
    server.once('error', onFailure);
    server.listen(address, () => {
      server.off('error', onFailure);
      server.on('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops accepting connections, waits at most `timeoutMs` for open responses, then closes all connections. Idempotent. */
export async function stopServer(server: Server | TlsServer, timeoutMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => {
    server.closeAllConnections();
    turnsOf.get(server)?.cutStopped();
  }, timeoutMs);
  await closed;
  clearTimeout(cut);
}
