// A proxy on loopback for FFmpeg's HTTP sources. FFmpeg itself follows redirects, playlists and key addresses, so only a proxy can check
// the resolved address of each connection against the address rules.
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { createServer, request as httpRequest } from '@srs-stack/process/node-http.ts';
import { guardedLookup, isForbiddenHost, RefusedAddress } from '../network/guarded-lookup.ts';

/** Maximum number of connections: a hundred sources, each of which loads a playlist, a segment and a key. */
const maxConnections = 300;
/** Timeout of connecting, milliseconds. */
const connectTimeoutMs = 10_000;
/** Idle timeout, milliseconds; the stall watch of a worker ends a silent source sooner. */
const idleTimeoutMs = 60_000;
/** HTTP status for forbidden addresses. Servers do not use 470, so 470 in FFmpeg's log means that this proxy refused the address. */
const refusedStatus = 470;

/** Hop-by-hop headers (RFC 9110 §7.6.1). */
const hopByHop = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

export interface SourceProxy {
  /** Returns the environment variables that make FFmpeg use the proxy for this address. The first HTTP address starts the proxy. */
  environmentFor(address: string): Promise<Record<string, string>>;
  /** Closes every connection. Idempotent. */
  close(): Promise<void>;
}

export function createSourceProxy(): SourceProxy {
  let server: Promise<Server> | undefined;
  let isClosed = false;
  return {
    async environmentFor(address) {
      if (isClosed || !/^https?:/i.test(address)) return {};
      server ??= listen();
      const { port } = (await server).address() as AddressInfo;
      // FFmpeg reads only this proxy variable, for http and for https.
      return { http_proxy: `http://127.0.0.1:${port}` };
    },
    async close() {
      isClosed = true;
      const running = await server;
      if (!running?.listening) return;
      running.close();
      running.closeAllConnections();
      for (const socket of tunnels.get(running) ?? []) socket.destroy();
    },
  };
}

/** Sockets of CONNECT requests by server. `Server.close` does not close these sockets. */
const tunnels = new WeakMap<Server, Set<Duplex>>();

async function listen(): Promise<Server> {
  const server = createServer({ requestTimeout: 0 }, passOn);
  const open = new Set<Duplex>();
  tunnels.set(server, open);
  server.maxConnections = maxConnections;
  server.on('connect', (request, socket, head) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    openTunnel(request, socket, head);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return server;
}

/**
 * Forwards a request of the form `GET http://host/path`, and its response. A redirect is not followed here: FFmpeg sends a new request to
 * this proxy.
 */
function passOn(request: IncomingMessage, response: ServerResponse): void {
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') {
    refuse(response, 400, 'Bad Request');
    return;
  }
  if (isForbiddenHost(hostOf(url))) {
    refuse(response, refusedStatus, 'Address never contacted');
    return;
  }
  const outgoing = httpRequest(url, {
    method: request.method ?? 'GET',
    headers: endToEnd(request.rawHeaders),
    lookup: guardedLookup,
    agent: false,
    timeout: connectTimeoutMs,
    insecureHTTPParser: true,
  });
  outgoing.once('socket', (socket) => socket.once('connect', () => outgoing.setTimeout(idleTimeoutMs)));
  outgoing.once('timeout', () => outgoing.destroy(new Error('Connection timed out')));
  outgoing.once('error', (error) => {
    if (!response.headersSent) refuse(response, ...statusOf(error));
    else response.destroy();
  });
  outgoing.once('response', (upstream) => {
    try {
      response.writeHead(upstream.statusCode ?? 502, upstream.statusMessage, endToEnd(upstream.rawHeaders));
    } catch {
      outgoing.destroy(new Error('Bad response'));
      return;
    }
    pipeline(upstream, response, () => outgoing.destroy());
  });
  pipeline(request, outgoing, () => {});
}

/** Tunnels bytes after `CONNECT host:port`, for https: TLS stays between FFmpeg and the server. */
function openTunnel({ url: authority }: IncomingMessage, socket: Duplex, head: Buffer): void {
  const url = URL.parse(`http://${authority}`);
  const respond = (status: number, text: string): void => {
    socket.end(`HTTP/1.1 ${status} ${text}\r\n\r\n`);
  };
  socket.on('error', () => socket.destroy());
  if (!url) {
    respond(400, 'Bad Request');
    return;
  }
  if (isForbiddenHost(hostOf(url))) {
    respond(refusedStatus, 'Address never contacted');
    return;
  }
  const server = connect({ host: hostOf(url), port: Number(url.port || 80), lookup: guardedLookup });
  server.setTimeout(connectTimeoutMs, () => server.destroy(new Error('Connection timed out')));
  server.once('error', (error) =>
    server.connecting || server.pending ? respond(...statusOf(error)) : socket.destroy(),
  );
  server.once('connect', () => {
    server.setTimeout(idleTimeoutMs);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.write(head);
    pipeline(socket, server, socket, () => {});
  });
  socket.once('close', () => server.destroy());
}

/** Status and text for an error, as FFmpeg would log them without a proxy. */
function statusOf(error: Error): [status: number, text: string] {
  if (error instanceof RefusedAddress) return [refusedStatus, 'Address never contacted'];
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return [502, 'Failed to resolve hostname'];
  if (code === 'ECONNREFUSED') return [502, 'Connection refused'];
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH') return [502, 'Network is unreachable'];
  if (code === 'ETIMEDOUT' || error.message === 'Connection timed out') return [504, 'Connection timed out'];
  return [502, 'Connection reset by peer'];
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, text, { connection: 'close', 'content-length': 0 }).end();
}

/** Removes hop-by-hop headers. @param raw alternating names and values. */
function endToEnd(raw: readonly string[]): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    if (!hopByHop.test(name)) headers[name] = [...(headers[name] ?? []), raw[at + 1] ?? ''];
  }
  const single = Object.entries(headers).map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
  return { ...Object.fromEntries(single), connection: 'close' };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
