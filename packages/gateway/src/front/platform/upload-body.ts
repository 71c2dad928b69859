// Streams the body of an upload at the pace of the control plane, without a promise per chunk. When the stream is destroyed early, the
// client stays connected and gets a response.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { collectYoungGeneration } from '@srs-stack/process/young-generation.ts';
import { watchBodyPace } from '../http/body-pace.ts';

/** Maximum size of data that is buffered for the control plane, bytes. */
const readAheadBytes = 256 * 1024;
/** After this number of bytes, forwarded chunks are garbage-collected. Keeps the heap small at a low cost. */
const collectEveryBytes = 8 * 1024 ** 2;

/** The client uploads below the minimum rate. */
export class BodyTooSlowError extends Error {
  override readonly name = 'BodyTooSlowError';
}

export class UploadBody extends Readable {
  readonly #request: IncomingMessage;
  readonly #unwatch: () => void;
  #uncollected = 0;

  /** @param stallMs see `uploadStallMs`. A slow upload fails with a `BodyTooSlowError`. */
  constructor(request: IncomingMessage, stallMs: number) {
    super({ highWaterMark: readAheadBytes });
    this.#request = request;
    // The client may disconnect before another `error` listener exists.
    this.on('error', () => undefined);
    request.on('data', this.#take);
    request.on('end', this.#end);
    request.on('close', this.#close);
    request.pause();
    this.#unwatch = watchBodyPace(request, stallMs, () =>
      this.destroy(new BodyTooSlowError('the client sends the upload too slowly')),
    );
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
    if (!this.#request.complete) this.destroy(new Error('the client disconnected'));
  };
}
