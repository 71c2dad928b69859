// Requests that the engine handles: client data for the engine, and error handling.
import type { IncomingMessage } from 'node:http';
import { inSession } from '@srs-stack/engine';
import type { Forwarded } from './forwarded.ts';
import { responseHeadersOf } from './response-headers.ts';

/**
 * The engine reads the client's address, the path prefix of a proxy and the response headers from these properties; headers of the client
 * cannot set them.
 */
export function nameClient(
  request: IncomingMessage,
  { for: clientAddress, prefix: pathPrefix }: Pick<Forwarded, 'for' | 'prefix'>,
): void {
  request.headers['x-forwarded-for'] = clientAddress;
  Object.assign(request, { clientAddress, pathPrefix, responseHeaders: responseHeadersOf(request) });
}

/** An uncaught error of a media request ends its connection, and is logged with the client's address. */
export function asSession<Result>({ socket, url }: IncomingMessage, work: () => Result): Result {
  const fields = { path: (url ?? '').split('?', 1)[0], ip: socket.remoteAddress };
  return inSession({ fields, end: () => socket.destroy() }, work);
}
