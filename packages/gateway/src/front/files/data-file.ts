// The one way to a file of the data folder for who names it by a path. Driven by the answers of the control plane.
import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isHandleShortage } from '@srs-stack/process/handle-shortage.ts';

/** Folders whose files may leave the server; each may be a link to another disk, as operators set up. */
const servedFolders = ['record', 'dvr', 'vod'];

/**
 * Opens a regular file in one of the served folders. Links inside count by where they lead, and none may lead out.
 * @param path relative to the data folder, with slashes.
 * @returns undefined when there is no such file, or it is none that may leave.
 * @throws the system's error when no file handle is left.
 */
export async function openDataFile(dataDir: string, path: string): Promise<FileHandle | undefined> {
  const [folder = '', ...rest] = path.split('/');
  if (!servedFolders.includes(folder) || path.includes('\0')) return undefined;
  try {
    const root = await realpath(join(dataDir, folder));
    const real = await realpath(join(root, ...rest));
    if (!real.startsWith(root + sep)) return undefined;
    // Neither a link that came in between nor a pipe that nobody writes.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const isFile = await file.stat().then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return file;
    await file.close();
  } catch (error) {
    if (isHandleShortage(error)) throw error;
    // Gone, or not readable.
  }
  return undefined;
}
