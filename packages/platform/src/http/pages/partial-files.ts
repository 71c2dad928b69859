// The files of resumable uploads on disk. A full disk ends the upload, because an upload that cannot complete must not occupy disk space.
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

  /**
   * Resolves with the size of the file. After a connection failure, the written bytes stay, so that the upload can continue. A refused
   * upload is deleted.
   */
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
