// Requests that the engine answers: who asks, and what ends when something goes wrong.
import type { IncomingMessage } from 'node:http';
import { inSession } from '@srs-stack/engine';
import type { Forwarded } from './forwarded.ts';
import { answerHeadersOf } from './response-headers.ts';

/**
 * The engine takes the client's address, the path prefix of a proxy and the headers of every answer from these properties; what the
 * client claims in a header is overwritten.
 */
export function nameClient(
  request: IncomingMessage,
  { for: clientAddress, prefix: pathPrefix }: Pick<Forwarded, 'for' | 'prefix'>,
): void {
  request.headers['x-forwarded-for'] = clientAddress;
  Object.assign(request, { clientAddress, pathPrefix, answerHeaders: answerHeadersOf(request) });
}

/** What follows from a request for media and is caught by nobody ends its connection, and is logged with its address. */
export function asSession<Result>({ socket, url }: IncomingMessage, work: () => Result): Result {
  const fields = { path: (url ?? '').split('?', 1)[0], ip: socket.remoteAddress };
  return inSession({ fields, end: () => socket.destroy() }, work);
}
