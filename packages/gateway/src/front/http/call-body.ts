// Collects the body of a call in memory, so that the control plane is asked only when it is complete.
import type { IncomingMessage } from 'node:http';
import type { ErrorName } from '@srs-stack/contract/errors.ts';
import { maxJsonBodyBytes } from '@srs-stack/contract/limits.ts';
import type { BodyMemory, HeldBody } from '../limits/body-memory.ts';

/** First room for a body that comes in pieces, bytes; it doubles. */
const firstRoomBytes = 4 * 1024;

export interface CallBodyOptions {
  readonly memory: BodyMemory;
  /** Of the client (`addressKey`). */
  readonly key: string;
  /** From now to the last byte, milliseconds. */
  readonly timeoutMs: number;
  readonly onComplete: (body: Buffer) => void;
  /** Called instead, once, while the client is still there. */
  readonly onRefused: (why: ErrorName) => void;
}

/** @returns gives the memory back and stops; idempotent. Nothing is called when the client leaves. */
export function collectCallBody(request: IncomingMessage, options: CallBodyOptions): () => void {
  const { memory } = options;
  const sizeBytes = Number(request.headers['content-length'] ?? Number.NaN);
  let room: Buffer | undefined;
  let size = 0;

  const release = (): void => {
    stopListening();
    memory.end(held);
    room = undefined;
  };
  const refuse = (why: ErrorName): void => {
    release();
    options.onRefused(why);
  };
  const held: HeldBody = { key: options.key, held: 0, giveUp: () => refuse('bodyTooSlow') };
  const complete = (body: Buffer): void => {
    stopListening();
    memory.complete(held);
    options.onComplete(body);
  };
  const onData = (chunk: Buffer): void => {
    if (size + chunk.length > maxJsonBodyBytes) refuse('bodyTooLarge');
    else if (room === undefined && chunk.length === sizeBytes) takeWhole(chunk);
    else append(chunk);
  };
  /** The usual case: all of it came with the headers. */
  const takeWhole = (chunk: Buffer): void => {
    if (!memory.resize(held, chunk.length)) {
      refuse('serverBusy');
      return;
    }
    room = chunk;
    size = chunk.length;
  };
  /** Copied, because a piece of one byte takes a hundred. */
  const append = (chunk: Buffer): void => {
    const needed = size + chunk.length;
    if (room === undefined || room.length < needed) {
      const larger = Math.min(maxJsonBodyBytes, Math.max(needed, firstRoomBytes, 2 * (room?.length ?? 0)));
      if (!memory.resize(held, larger)) {
        refuse('serverBusy');
        return;
      }
      const next = Buffer.allocUnsafeSlow(larger);
      room?.copy(next, 0, 0, size);
      room = next;
    }
    chunk.copy(room, size);
    size = needed;
  };
  const onEnd = (): void => complete(room?.subarray(0, size) ?? Buffer.alloc(0));
  const stopListening = (): void => {
    clearTimeout(deadline);
    request.off('data', onData).off('end', onEnd).off('close', release);
  };

  const deadline = setTimeout(() => refuse('bodyTooSlow'), options.timeoutMs);
  memory.begin(held);
  request.on('data', onData).on('end', onEnd).on('close', release);
  return release;
}
