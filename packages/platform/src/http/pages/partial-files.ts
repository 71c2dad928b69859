// The files of resumable uploads under way, on disk. A full disk is told as such and ends the upload: what cannot be
// finished must not keep the room others need.
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@srs-stack/contract';
import { FileStore } from '@tus/file-store';
import { storeUpload } from '../../files/upload-file.ts';
import { type UploadGuard, withDiskFull } from '../../files/upload-guard.ts';

export class PartialFiles extends FileStore {
  readonly #guard: UploadGuard;

  constructor(directory: string, guard: UploadGuard) {
    super({ directory });
    this.#guard = guard;
  }

  /** Resolves with the size of the file. What was written before an error stays, to go on from. */
  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const path = join(this.directory, id);
    try {
      return offset + (await storeUpload(body, { path, flags: 'r+', start: offset, watch: this.#guard() }));
    } catch (thrown) {
      const error = withDiskFull(thrown);
      if (error instanceof AppError) await this.remove(id);
      throw error;
    }
  }
}
