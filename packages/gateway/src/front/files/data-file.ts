// Opens files of the data folder by untrusted paths, for responses of the control plane that name a file.
import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isHandleShortage } from '@srs-stack/process/handle-shortage.ts';

/** Folders with files that may be served. A folder may be a symbolic link to another disk. */
const servedFolders = ['record', 'dvr', 'vod'];

/**
 * Opens a regular file in a served folder. The path without symbolic links must be in a served folder, too.
 * @param path relative to the data folder, with slashes.
 * @returns undefined when the file does not exist or must not be served.
 * @throws the system's error when no file descriptor is left.
 */
export async function openDataFile(dataDir: string, path: string): Promise<FileHandle | undefined> {
  const [folder = '', ...rest] = path.split('/');
  if (!servedFolders.includes(folder) || path.includes('\0')) return undefined;
  try {
    const root = await realpath(join(dataDir, folder));
    const real = await realpath(join(root, ...rest));
    if (!real.startsWith(root + sep)) return undefined;
    // The flags refuse a symbolic link that was created meanwhile, and do not block on a pipe.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const isFile = await file.stat().then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return file;
    await file.close();
  } catch (error) {
    if (isHandleShortage(error)) throw error;
    // The file was removed or is not readable.
  }
  return undefined;
}
