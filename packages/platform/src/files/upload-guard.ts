// Watches the bytes of an upload: limits the size, keeps reserved disk space free, and triggers early garbage collection of buffers.
import { AppError, because, maxUploadBytes } from '@srs-stack/contract';
import { collectYoungGeneration } from '@srs-stack/process/young-generation.ts';

const lookEveryBytes = 8 * 1024 ** 2;

/**
 * Called with the size of every received chunk. Returns a promise when the sender must wait. Throws `uploadTooLarge`, or `diskFull` if too
 * little disk space is left.
 */
export type UploadWatch = (bytes: number) => Promise<void> | undefined;

/** Creates a watch for one upload. */
export type UploadGuard = () => UploadWatch;

export function createUploadGuard(
  requireSpace: (bytes: number) => Promise<void>,
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
      return requireSpace(1);
    };
  };
}

/** Converts the system's error for a full disk to `diskFull`. Returns other errors unchanged. */
export function withDiskFull(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOSPC' || code === 'EDQUOT' ? new AppError('diskFull', undefined, { cause: error }) : error;
}
