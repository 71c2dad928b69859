// File of an open segment. It has a temporary name until it is complete, so that readers never see a partial segment.
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Suffix of the temporary name. At start, leftover files with this suffix are renamed or removed. */
export const temporarySuffix = '.tmp';
/** Maximum number of bytes queued for a file on a slow disk. Above the limit, the segment is dropped. */
const maxWaitingBytes = 32 * 1024 * 1024;

export class SegmentFile {
  readonly path: string;
  #chain: Promise<void> = Promise.resolve();
  #handle: FileHandle | undefined;
  #error: unknown;
  #waitingBytes = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Writes in the background, in order. Errors are kept for `finish`. */
  append(chunks: readonly Buffer[]): void {
    const size = chunks.reduce((total, { length }) => total + length, 0);
    if (this.#waitingBytes + size > maxWaitingBytes)
      this.#error ??= new Error('the disk is too slow to write the segments of the stream');
    if (this.#error !== undefined) return;
    this.#waitingBytes += size;
    this.#chain = this.#chain.then(async () => {
      await this.#write(chunks, size);
      this.#waitingBytes -= size;
    });
  }

  /** Closes and renames the file. After an error, removes the file and rejects with the first error. */
  async finish(): Promise<void> {
    await this.#chain;
    await this.#attempt(async () => {
      await this.#handle?.close();
      this.#handle = undefined;
      await rename(this.path + temporarySuffix, this.path);
    });
    if (this.#error === undefined) return;
    await this.discard();
    throw this.#error;
  }

  /** Closes and removes the file. Never rejects. */
  async discard(): Promise<void> {
    await this.#chain;
    await this.#handle?.close().catch(() => {});
    this.#handle = undefined;
    await unlink(this.path + temporarySuffix).catch(() => {});
  }

  #write(chunks: readonly Buffer[], size: number): Promise<void> {
    return this.#attempt(async () => {
      this.#handle ??= await openWithFolder(this.path + temporarySuffix);
      const { bytesWritten } = await this.#handle.writev(chunks);
      if (bytesWritten !== size)
        throw new Error(`only ${bytesWritten} of ${size} bytes of the segment could be written`);
    });
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    if (this.#error !== undefined) return;
    try {
      await step();
    } catch (error) {
      this.#error = error;
    }
  }
}

/** Creates a missing folder for the first file of an app, or after a manual removal. */
async function openWithFolder(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    return open(path, 'w');
  }
}
