// The file an upload is written to: what comes in pieces is gathered in one buffer while the other is on its way to the
// disk, so that an upload costs two buffers and few, large writes. Owns the open file, which it closes.
import { type FileHandle, open } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UploadWatch } from './upload-guard.ts';

/** Bytes written at once: a write is a trip to another thread, and more than this is no faster. */
const writeBytes = 512 * 1024;

export interface UploadFileOptions {
  readonly path: string;
  /** `wx`: a new file; `r+`: one that is there already. */
  readonly flags: 'wx' | 'r+';
  /** Where the first byte goes. */
  readonly start: number;
  readonly watch: UploadWatch;
}

/**
 * Stores a body as it comes; resolves with its size, bytes. When it fails, what came before is in the file, which is
 * closed. Throws what the body, the watch or the disk failed with.
 */
export async function storeUpload(body: Readable | AsyncIterable<Buffer>, options: UploadFileOptions): Promise<number> {
  // The body is listened to from now on, not once the file is open: it may break at any moment.
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

/** Written strictly in order: a process that is killed leaves a beginning of the upload, never a hole. */
class UploadFile extends Writable {
  readonly #options: UploadFileOptions;
  #file: FileHandle | undefined;
  #filling = Buffer.allocUnsafeSlow(writeBytes);
  #spare = Buffer.allocUnsafeSlow(writeBytes);
  #filled = 0;
  #written = 0;
  #failure: unknown;
  /** The one write under way; never rejects. */
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

  /** Bytes that are in the file. */
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

  /** What came before the connection broke is kept, to go on from. */
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

  /** Hands the filled buffer over as soon as the one before it is on the disk. Throws what that write failed with. */
  async #swap(): Promise<void> {
    // The stream may be destroyed while a chunk waits here: whoever comes second waits for the write of the first.
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

  /** The system may take less than it was given: a nearly full disk does. */
  async #put(buffer: Buffer, bytes: number): Promise<void> {
    if (!this.#file) return;
    for (let at = 0; at < bytes; ) {
      const { bytesWritten } = await this.#file.write(buffer, at, bytes - at, this.#options.start + this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
  }
}
