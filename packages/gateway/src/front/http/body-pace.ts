import type { IncomingMessage } from 'node:http';
import { uploadProgressBytes } from '../limits/front-limits.ts';

/**
 * Calls `onTooSlow` once when fewer than `uploadProgressBytes` arrive within `windowMs`. Pauses by the reader of the body do not count.
 * @returns a function that stops the check. Idempotent.
 */
export function watchBodyPace(request: IncomingMessage, windowMs: number, onTooSlow: () => void): () => void {
  let left = uploadProgressBytes;
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left > 0) return;
    left = uploadProgressBytes;
    timer.refresh();
  };
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', onData).off('end', stop).off('close', stop);
  };
  const timer = setTimeout(() => {
    if (request.isPaused()) timer.refresh();
    else {
      stop();
      onTooSlow();
    }
  }, windowMs);
  request.on('data', onData).on('end', stop).on('close', stop);
  return stop;
}
