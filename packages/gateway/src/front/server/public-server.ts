// The public HTTP and HTTPS servers: limits against slow and oversized requests, start, and a stop that lets answers finish.
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenAddress } from '@srs-stack/engine';
import { createServer } from '@srs-stack/process/node-http.ts';
import { listenRefusal } from '@srs-stack/process/start-refusal.ts';
import { closeWithStatus, sendText } from '../http/failure-response.ts';
import { discardRest } from '../http/unread-body.ts';
import { addressKey, everybody } from '../limits/address-key.ts';
import {
  connectionCheckIntervalMs,
  handshakeTimeoutMs,
  headersTimeoutMs,
  keepAliveMs,
  maxConnectionsPerAddress,
  maxHeaderBytes,
  maxHeaderCount,
  maxPublicConnections,
  readerStallMs,
  roomIntervalMs,
} from '../limits/front-limits.ts';
import { hasClearHost } from './host-header.ts';
import { boundUnusedConnections } from './unused-connections.ts';

/** What answers the requests of the servers. */
export interface PublicFront {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const limits: ServerOptions = {
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: headersTimeoutMs,
  // Bodies have their own deadlines (request-body): an upload of hours is fine, a slow JSON body is not.
  requestTimeout: 0,
  connectionsCheckingInterval: connectionCheckIntervalMs,
  keepAliveTimeout: keepAliveMs,
  noDelay: true,
  // Some clients offer h2c on plain requests; only WebSocket is an upgrade here.
  shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
};

/** @param isTrustedProxy whether this peer speaks for many, so that no share of an address applies to it. */
export function createHttpServer(front: PublicFront, isTrustedProxy: (address: string) => boolean): Server {
  return attach(createServer(limits), front, isTrustedProxy);
}

/** Without a certificate yet: connections are accepted, handshakes fail until `setSecureContext` is called. */
export function createHttpsServer(front: PublicFront, isTrustedProxy: (address: string) => boolean): TlsServer {
  const server = createTlsServer({ ...limits, minVersion: 'TLSv1.2', handshakeTimeout: handshakeTimeoutMs });
  // A failed handshake concerns its own connection only.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return attach(server, front, isTrustedProxy);
}

function attach<S extends Server | TlsServer>(
  server: S,
  front: PublicFront,
  isTrustedProxy: (address: string) => boolean,
): S {
  server.maxHeadersCount = maxHeaderCount;
  server.maxConnections = maxPublicConnections;
  boundUnusedConnections(server);
  limitConnections(server, isTrustedProxy);
  server.on('request', (request, response) => {
    boundAnswer(request, response);
    if (hasClearHost(request)) front.onRequest(request, response);
    else sendText(response, 400, 'The Host header is not valid.');
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    if (hasClearHost(request)) front.onUpgrade(request, socket, head);
    else closeWithStatus(socket, 400);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => refuseMalformed(error.code, socket));
  return server;
}

/** An answer that is complete must be taken, and what is left of its request may not come for ever. */
function boundAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once('prefinish', () => {
    if (response.writableLength > 0) response.setTimeout(readerStallMs, () => response.destroy());
  });
  response.once('finish', () => discardRest(request));
}

/** One address may not take all sockets of a server; when they are taken, those that nobody uses make room. */
function limitConnections(server: Server | TlsServer, isTrustedProxy: (address: string) => boolean): void {
  const countOf = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const key = addressKey(address);
    if (key === everybody || isTrustedProxy(address)) return;
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

/** Answers what cannot be parsed, then closes. */
function refuseMalformed(code: string | undefined, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  closeWithStatus(socket, statuses[code ?? ''] ?? 400);
}

export interface ListenOptions {
  /** Environment variable that sets the address, for the sentence of a failure. */
  readonly variable: string;
  readonly address: ListenAddress;
  /** A later failure, e.g. no file descriptor left for a new connection; the server goes on. */
  readonly onError: (error: Error) => void;
}

/** Resolves with the port bound. @throws StartRefusal naming the variable. */
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

/** Stops accepting, lets answers under way finish for at most `timeoutMs`, then cuts what is left. Idempotent. */
export async function stopServer(server: Server | TlsServer, timeoutMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(cut);
}
