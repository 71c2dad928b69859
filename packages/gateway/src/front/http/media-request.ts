// Prepares requests for the engine: data about the client, and error handling.
import type { IncomingMessage } from 'node:http';
import { inSession } from '@srs-stack/engine';
import type { Forwarded } from './forwarded.ts';
import { responseHeadersOf } from './response-headers.ts';

/**
 * Sets the client's address, the path prefix of a proxy and the response headers as properties of the request. Headers from the client
 * cannot change these properties.
 */
export function nameClient(
  request: IncomingMessage,
  { for: clientAddress, prefix: pathPrefix }: Pick<Forwarded, 'for' | 'prefix'>,
): void {
  request.headers['x-forwarded-for'] = clientAddress;
  Object.assign(request, { clientAddress, pathPrefix, responseHeaders: responseHeadersOf(request) });
}

/** Handles a media request. An uncaught error ends only the connection, and the log contains the address of the peer. */
export function asSession<Result>({ socket, url }: IncomingMessage, work: () => Result): Result {
  const fields = { path: (url ?? '').split('?', 1)[0], ip: socket.remoteAddress };
  return inSession({ fields, end: () => socket.destroy() }, work);
}
