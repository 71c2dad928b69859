// What is left of a request body when the answer is there already.
import type { IncomingMessage } from 'node:http';
import { lingerMs } from '../limits/front-limits.ts';

/** After an early answer: what the client still sends is thrown away for a moment, then the connection is cut. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, lingerMs);
  request.once('close', () => clearTimeout(timer));
}
