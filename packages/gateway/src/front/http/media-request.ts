// Prepares requests that the engine handles: data about the client, and error handling.
import type { IncomingMessage } from 'node:http';
import { inSession } from '@srs-stack/engine';
import type { Forwarded } from './forwarded.ts';
import { responseHeadersOf } from './response-headers.ts';

/**
 * Sets the client's address, the path prefix of a proxy and the response headers for the engine, as properties that headers of the client
 * cannot set.
 */
export function nameClient(
  request: IncomingMessage,
  { for: clientAddress, prefix: pathPrefix }: Pick<Forwarded, 'for' | 'prefix'>,
): void {
  request.headers['x-forwarded-for'] = clientAddress;
  Object.assign(request, { clientAddress, pathPrefix, responseHeaders: responseHeadersOf(request) });
}

/** Runs a media request so that an uncaught error ends only its connection; the log has the client's address. */
export function asSession<Result>({ socket, url }: IncomingMessage, work: () => Result): Result {
  const fields = { path: (url ?? '').split('?', 1)[0], ip: socket.remoteAddress };
  return inSession({ fields, end: () => socket.destroy() }, work);
}
