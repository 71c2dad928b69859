// The public HTTP and HTTPS servers: limits against slow and oversized requests, start, and a stop that lets answers finish.
import { createServer, type Server, type ServerOptions, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenAddress } from '@srs-stack/engine';
import { listenFailure } from '../startup-error.ts';
import {
  connectionCheckIntervalMs,
  handshakeTimeoutMs,
  headersTimeoutMs,
  keepAliveMs,
  maxHeaderBytes,
  maxHeaderCount,
  maxPublicConnections,
} from './front-limits.ts';
import type { PublicFront } from './public-front.ts';

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

export function createHttpServer(front: PublicFront): Server {
  return attach(createServer(limits), front);
}

/** Without a certificate yet: connections are accepted, handshakes fail until `setSecureContext` is called. */
export function createHttpsServer(front: PublicFront): TlsServer {
  const server = createTlsServer({ ...limits, minVersion: 'TLSv1.2', handshakeTimeout: handshakeTimeoutMs });
  // A failed handshake concerns its own connection only.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return attach(server, front);
}

function attach<S extends Server | TlsServer>(server: S, front: PublicFront): S {
  server.maxHeadersCount = maxHeaderCount;
  server.maxConnections = maxPublicConnections;
  server.on('request', front.onRequest);
  server.on('upgrade', front.onUpgrade);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => refuseMalformed(error.code, socket));
  return server;
}

/** Answers what cannot be parsed, then closes. */
function refuseMalformed(code: string | undefined, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  const status = statuses[code ?? ''] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

export interface ListenOptions {
  /** Environment variable that sets the address, for the sentence of a failure. */
  readonly variable: string;
  readonly address: ListenAddress;
  /** A later failure, e.g. no file descriptor left for a new connection; the server goes on. */
  readonly onError: (error: Error) => void;
}

/** Resolves with the port bound. @throws StartupError naming the variable. */
export function listen(server: Server | TlsServer, options: ListenOptions): Promise<number> {
  const { variable, address, onError } = options;
  return new Promise((resolve, reject) => {
    const onFailure = (error: Error): void => reject(listenFailure(variable, address, error));
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
