// Collects the body of an API call in memory, so that the control plane receives only complete requests.
import type { IncomingMessage } from 'node:http';
import type { ErrorName } from '@srs-stack/contract/errors.ts';
import { maxJsonBodyBytes } from '@srs-stack/contract/limits.ts';
import type { BodyMemory, HeldBody } from '../limits/body-memory.ts';

/** Initial size of the buffer for a body in several chunks, bytes. The size doubles as needed. */
const firstRoomBytes = 4 * 1024;

export interface CallBodyOptions {
  readonly memory: BodyMemory;
  readonly key: string;
  /** Timeout for the complete body, milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of the body, bytes; `maxJsonBodyBytes` by default. */
  readonly maxBytes?: number;
  readonly onComplete: (body: Buffer) => void;
  /** Called once instead of `onComplete` when the body is refused and the client is still connected. */
  readonly onRefused: (why: ErrorName) => void;
}

/** @returns a function that releases the memory and stops. Idempotent. No callback is called when the client disconnects. */
export function collectCallBody(request: IncomingMessage, options: CallBodyOptions): () => void {
  const body = new CallBody(request, options);
  body.listen();
  return () => body.release();
}

class CallBody {
  readonly #request: IncomingMessage;
  readonly #options: CallBodyOptions;
  readonly #sizeBytes: number;
  readonly #maxBytes: number;
  readonly #held: HeldBody;
  #room: Buffer | undefined;
  #size = 0;
  #deadline: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, options: CallBodyOptions) {
    this.#request = request;
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? maxJsonBodyBytes;
    this.#sizeBytes = Number(request.headers['content-length'] ?? Number.NaN);
    this.#held = { key: options.key, held: 0, giveUp: () => this.#refuse('bodyTooSlow') };
  }

  listen(): void {
    this.#deadline = setTimeout(() => this.#refuse('bodyTooSlow'), this.#options.timeoutMs);
    this.#options.memory.begin(this.#held);
    this.#request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.release);
  }

  readonly release = (): void => {
    this.#stopListening();
    this.#options.memory.end(this.#held);
    this.#room = undefined;
  };

  readonly #onData = (chunk: Buffer): void => {
    if (this.#size + chunk.length > this.#maxBytes) this.#refuse('bodyTooLarge');
    else if (this.#room === undefined && chunk.length === this.#sizeBytes) this.#takeWhole(chunk);
    else this.#append(chunk);
  };

  readonly #onEnd = (): void => {
    this.#stopListening();
    this.#options.memory.complete(this.#held);
    this.#options.onComplete(this.#room?.subarray(0, this.#size) ?? Buffer.alloc(0));
  };

  #refuse(why: ErrorName): void {
    this.release();
    this.#options.onRefused(why);
  }

  /** The usual case: the complete body arrived in one chunk. */
  #takeWhole(chunk: Buffer): void {
    if (!this.#options.memory.resize(this.#held, chunk.length)) {
      this.#refuse('serverBusy');
      return;
    }
    this.#room = chunk;
    this.#size = chunk.length;
  }

  /** Copies the chunk, because even a chunk of one byte occupies about a hundred bytes. */
  #append(chunk: Buffer): void {
    const needed = this.#size + chunk.length;
    const room = this.#roomFor(needed);
    if (!room) {
      this.#refuse('serverBusy');
      return;
    }
    chunk.copy(room, this.#size);
    this.#size = needed;
  }

  /** Returns a buffer with space for `needed` bytes; undefined when the memory limit is reached. */
  #roomFor(needed: number): Buffer | undefined {
    const room = this.#room;
    if (room !== undefined && room.length >= needed) return room;
    const larger = Math.min(this.#maxBytes, Math.max(needed, firstRoomBytes, 2 * (room?.length ?? 0)));
    if (!this.#options.memory.resize(this.#held, larger)) return undefined;
    const next = Buffer.allocUnsafeSlow(larger);
    room?.copy(next, 0, 0, this.#size);
    this.#room = next;
    return next;
  }

  #stopListening(): void {
    clearTimeout(this.#deadline);
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.release);
  }
}
