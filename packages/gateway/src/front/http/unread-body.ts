import type { IncomingMessage } from 'node:http';
import { lingerMs } from '../limits/front-limits.ts';

/** Call after an early response. Discards what the client still sends within `lingerMs`, then closes the connection. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, lingerMs);
  request.once('close', () => clearTimeout(timer));
}
