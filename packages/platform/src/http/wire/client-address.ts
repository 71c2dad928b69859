// Address of the client, and address of this server as the client called it. The headers can be trusted, because only the gateway connects
// to this process and replaces these headers.
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { FastifyRequest } from 'fastify';

/** First address in X-Forwarded-For, or the socket's peer. '' over a Unix socket without the header. */
export function clientAddress(request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-for'];
  const text = Array.isArray(forwarded) ? forwarded[0] : forwarded;
  const first = text?.split(',', 1)[0]?.trim();
  return plainAddress(first || (request.socket.remoteAddress ?? ''));
}

/** Path prefix at which a trusted proxy publishes this server, without a trailing slash; '' for none. */
export function pathPrefix({ headers }: FastifyRequest): string {
  const prefix = headers['x-forwarded-prefix'];
  return typeof prefix === 'string' ? prefix : '';
}

/** Scheme and host of the client's request at the gateway. With several proxies, the first value counts. */
export function calledOrigin(request: FastifyRequest): string {
  const { 'x-forwarded-proto': proto, 'x-forwarded-host': forwardedHost, host } = request.headers;
  const first = typeof forwardedHost === 'string' ? forwardedHost.split(',', 1)[0]?.trim() : undefined;
  return `${proto === 'https' ? 'https' : 'http'}://${first || host || 'localhost'}`;
}
