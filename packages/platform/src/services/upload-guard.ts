// Watches the bytes of an upload on their way to the disk: not too many, never into the room that others need, and their
// memory is given back while it is young.
import { AppError, maxUploadBytes } from '@srs-stack/contract';
import { createYoungCollection } from './young-collection.ts';

/** Bytes between two looks at the disk and at the memory: often enough for both, too seldom to be felt. */
const lookEveryBytes = 16 * 1024 ** 2;
/** Bytes written at once: fewer, larger writes keep the disk busy instead of the processor. */
export const writeBufferBytes = 256 * 1024;

/** Passes bytes on. Throws `uploadTooLarge` and, when `requireRoom` does, `diskFull`. */
export type UploadGuard = (body: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

export function createUploadGuard(
  requireRoom: (bytes: number) => Promise<void>,
  collect: () => void = createYoungCollection(),
): UploadGuard {
  return async function* guard(body) {
    let size = 0;
    let unlooked = 0;
    for await (const chunk of body) {
      size += chunk.length;
      unlooked += chunk.length;
      if (size > maxUploadBytes) throw new AppError('uploadTooLarge', `at most ${maxUploadBytes / 1024 ** 3} GiB`);
      if (unlooked >= lookEveryBytes) {
        unlooked = 0;
        collect();
        await requireRoom(1);
      }
      yield chunk;
    }
  };
}

/** `diskFull` for what the system says when nothing more fits; every other error as it is. */
export function withDiskFull(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOSPC' || code === 'EDQUOT' ? new AppError('diskFull', undefined, { cause: error }) : error;
}
