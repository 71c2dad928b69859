// Watches the bytes of an upload on their way to the disk: not too many, never into the room that others need, and their
// memory is given back while it is young.
import { AppError, because, maxUploadBytes } from '@srs-stack/contract';
import { collectYoungGeneration } from '@srs-stack/process/young-generation.ts';

/** Bytes between two looks at the disk and at the memory: often enough for both, too seldom to be felt. */
const lookEveryBytes = 8 * 1024 ** 2;

/** Told of every received chunk; a promise asks to wait. Throws `uploadTooLarge` and, when `requireRoom` does, `diskFull`. */
export type UploadWatch = (bytes: number) => Promise<void> | undefined;

/** A watch of its own for every upload. */
export type UploadGuard = () => UploadWatch;

export function createUploadGuard(
  requireRoom: (bytes: number) => Promise<void>,
  collect: () => void = collectYoungGeneration,
): UploadGuard {
  return () => {
    let size = 0;
    let unlooked = 0;
    return (bytes) => {
      size += bytes;
      unlooked += bytes;
      if (size > maxUploadBytes)
        throw new AppError('uploadTooLarge', because('file.too-large', { gib: maxUploadBytes / 1024 ** 3 }));
      if (unlooked < lookEveryBytes) return undefined;
      unlooked = 0;
      collect();
      return requireRoom(1);
    };
  };
}

/** `diskFull` for what the system says when nothing more fits; every other error as it is. */
export function withDiskFull(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOSPC' || code === 'EDQUOT' ? new AppError('diskFull', undefined, { cause: error }) : error;
}
