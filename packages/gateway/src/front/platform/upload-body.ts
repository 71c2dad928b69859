// The body of an upload on its way to the control plane: at its pace, of any size, without a promise per piece. Leaving
// early does not cut the client, which still gets an answer.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { collectYoungGeneration } from '@srs-stack/process/young-generation.ts';
import { watchBodyPace } from '../http/body-pace.ts';

/** Bytes read ahead of the control plane. */
const readAheadBytes = 256 * 1024;
/** Bytes between two collections of what was passed on: often enough to stay small, too seldom to be felt. */
const collectEveryBytes = 8 * 1024 ** 2;

/** Too little came for too long. */
export class BodyTooSlowError extends Error {
  override readonly name = 'BodyTooSlowError';
}

export class UploadBody extends Readable {
  readonly #request: IncomingMessage;
  readonly #unwatch: () => void;
  #uncollected = 0;

  /** @param stallMs see `uploadStallMs`; ends in a BodyTooSlowError. */
  constructor(request: IncomingMessage, stallMs: number) {
    super({ highWaterMark: readAheadBytes });
    this.#request = request;
    // Nobody may listen yet when the client leaves.
    this.on('error', () => undefined);
    request.on('data', this.#take);
    request.on('end', this.#end);
    request.on('close', this.#close);
    request.pause();
    this.#unwatch = watchBodyPace(request, stallMs, () => this.destroy(new BodyTooSlowError('too slow')));
  }

  override _read(): void {
    this.#request.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const request = this.#request;
    request.off('data', this.#take).off('end', this.#end).off('close', this.#close);
    this.#unwatch();
    done(error);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#uncollected += chunk.length;
    if (this.#uncollected >= collectEveryBytes) {
      this.#uncollected = 0;
      collectYoungGeneration();
    }
    if (!this.push(chunk)) this.#request.pause();
  };

  readonly #end = (): void => {
    this.push(null);
  };

  readonly #close = (): void => {
    if (!this.#request.complete) this.destroy(new Error('the client has left'));
  };
}
