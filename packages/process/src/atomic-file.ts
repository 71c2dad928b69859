// Whole-file writes that survive a crash at any time: a reader sees either the old or the new content.
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const temporaryMark = '.new-';

/**
 * Writes a file beside the target, flushes it to disk, renames it to the target, and flushes the folder.
 * @param finish may change the new file before the rename.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode: number,
  finish?: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = `${path}${temporaryMark}${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      await finish?.(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushToDisk(dirname(path));
}

/** Removes partial files of interrupted writes to this path. */
export async function removeAbandonedWrites(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = `${basename(path)}${temporaryMark}`;
  const abandoned = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  await Promise.all(abandoned.map((name) => rm(join(folder, name), { force: true })));
}

/** Flushes a file, or the entries of a folder, so that they survive a power failure. */
export async function flushToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } catch (error) {
    // Some network file systems cannot flush folders, which is ignored.
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await file.close();
  }
}
