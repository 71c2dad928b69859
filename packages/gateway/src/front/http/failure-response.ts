// Error responses of the front: the API's JSON for calls, a line of text for other requests, and only a status for sockets. Also health
// responses and redirects.
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorName, errorCatalogue } from '@srs-stack/contract/errors.ts';
import { STATUS_CODES } from '@srs-stack/process/node-http.ts';
import { busyRetrySeconds } from '../limits/front-limits.ts';
import { commonHeaders, setCommonHeaders } from './response-headers.ts';

/** Responds with `{code, server, data: {message, name}}` and the status of the error. Does nothing when the response has started. */
export function sendFailure(response: ServerResponse, name: ErrorName): void {
  if (response.headersSent || response.destroyed) return;
  const { code, httpStatus, message } = errorCatalogue[name];
  const body = JSON.stringify({ code, server: process.pid, data: { message, name } });
  setCommonHeaders(response);
  response.writeHead(httpStatus, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...(name === 'serverBusy' && { 'Retry-After': String(busyRetrySeconds) }),
  });
  response.end(body);
}

/** Responds to `/healthz` or `/readyz`, with headers that prevent caching. */
export function sendHealth(response: ServerResponse, status: number, health: object): void {
  const body = JSON.stringify(health);
  setCommonHeaders(response);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

/** Sends a short plain-text response for people and players. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  setCommonHeaders(response);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text) + 1,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  });
  response.end(`${text}\n`);
}

/** Appends the query of the request to `location`. */
export function withQuery(location: string, requestUrl: string): string {
  const at = requestUrl.indexOf('?');
  if (at < 0) return location;
  const [page = '', anchor] = location.split('#', 2);
  return `${page}${page.includes('?') ? '&' : '?'}${requestUrl.slice(at + 1)}${anchor === undefined ? '' : `#${anchor}`}`;
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { ...commonHeaders, Location: location, 'Cache-Control': 'no-cache', 'Content-Length': 0 });
  response.end();
}

/** Responds to an upgrade or an unparsable request with a status, then closes the socket. Does nothing when the socket has ended. */
export function closeWithStatus(socket: Duplex, status: number): void {
  if (socket.destroyed || socket.writableEnded) return;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}
