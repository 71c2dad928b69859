// Writes an upload with two buffers: one buffer fills while the other is written. This needs little memory and makes few, large writes.
import { type FileHandle, open } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UploadWatch } from './upload-guard.ts';

/** Buffer size, bytes. Each write is a round trip to another thread; larger writes are no faster. */
const writeBytes = 512 * 1024;

export interface UploadFileOptions {
  readonly path: string;
  /** `wx` creates a file; `r+` continues an existing file. */
  readonly flags: 'wx' | 'r+';
  /** Offset in the file at which writing starts. */
  readonly start: number;
  readonly watch: UploadWatch;
}

/**
 * Stores a body as it arrives. Resolves with the number of written bytes. On failure, the file keeps the bytes received so far. Throws the
 * error of the body, the watch or the disk.
 */
export async function storeUpload(body: Readable | AsyncIterable<Buffer>, options: UploadFileOptions): Promise<number> {
  // Listens before opening the file, because the body may fail at any time.
  const file = new UploadFile(options);
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  try {
    await pipeline(body, file);
  } finally {
    await closed;
  }
  return file.bytesWritten;
}

type Done = (error?: Error | null) => void;

/** Writes strictly in order. A killed process leaves a prefix of the upload, never a hole. */
class UploadFile extends Writable {
  readonly #options: UploadFileOptions;
  #file: FileHandle | undefined;
  #filling = Buffer.allocUnsafeSlow(writeBytes);
  #spare = Buffer.allocUnsafeSlow(writeBytes);
  #filled = 0;
  #written = 0;
  #failure: unknown;
  /** The running write; never rejects. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: UploadFileOptions) {
    super({ highWaterMark: writeBytes });
    this.#options = options;
  }

  override _construct(done: Done): void {
    open(this.#options.path, this.#options.flags).then((file) => {
      this.#file = file;
      done();
    }, done);
  }

  get bytesWritten(): number {
    return this.#written;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    try {
      const wait = this.#options.watch(chunk.length);
      if (wait) wait.then(() => this.#gather(chunk, done), done);
      else this.#gather(chunk, done);
    } catch (error) {
      done(error as Error);
    }
  }

  override _final(done: Done): void {
    this.#writeOut().then(() => done(), done);
  }

  /** Writes the received bytes when the connection breaks, so that the upload can continue. */
  override _destroy(error: Error | null, done: Done): void {
    const end = async () => {
      if (error) await this.#writeOut().catch(() => undefined);
      await this.#file?.close();
    };
    end().then(
      () => done(error),
      (failure) => done(error ?? failure),
    );
  }

  #gather(chunk: Buffer, done: Done): void {
    const taken = chunk.copy(this.#filling, this.#filled);
    this.#filled += taken;
    if (this.#filled < writeBytes) {
      done();
      return;
    }
    this.#swap().then(() => (taken < chunk.length ? this.#gather(chunk.subarray(taken), done) : done()), done);
  }

  /** Writes the filled buffer after the previous write has ended. Throws the error of the previous write. */
  async #swap(): Promise<void> {
    // `_destroy` can cause a second call while the first call waits here. The loop also waits for the write that the first call starts.
    for (let awaited: Promise<void> | undefined; awaited !== this.#writing; await awaited) awaited = this.#writing;
    if (this.#failure) throw this.#failure;
    const [full, bytes] = [this.#filling, this.#filled];
    [this.#filling, this.#spare, this.#filled] = [this.#spare, full, 0];
    this.#writing = this.#put(full, bytes).catch((error) => {
      this.#failure = error;
    });
  }

  async #writeOut(): Promise<void> {
    await this.#swap();
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  /** Repeats short writes, which happen on a nearly full disk. */
  async #put(buffer: Buffer, bytes: number): Promise<void> {
    if (!this.#file) return;
    for (let at = 0; at < bytes; ) {
      const { bytesWritten } = await this.#file.write(buffer, at, bytes - at, this.#options.start + this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
  }
}
