// Locations of media files in the data folder, the free space, and all conversions from a name to a path.
import { mkdir, realpath, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError, because } from '@srs-stack/contract';
import { resolveInside } from '@srs-stack/process/data-folder.ts';

/** Disk space that uploads never use, bytes: reserved for the store, recordings and the system. */
const reservedDiskBytes = 1024 ** 3;

export interface MediaFolders {
  /** Received and not used yet. */
  readonly upload: string;
  /** Used, or kept in the library. */
  readonly vlive: string;
  /** Uploads in progress. */
  readonly partial: string;
  /** Path of `upload/name` or `vlive/name`; undefined when there is no such file. */
  pathOf(target: string): Promise<string | undefined>;
  /** Path of a file that the operator names: `/data/...`, `upload/...`, `./upload/...`. Throws with the broken rule. */
  serverPath(file: string): Promise<string>;
  freeBytes(): Promise<number>;
  /** Throws `diskFull` when this many more bytes do not fit. */
  requireRoom(bytes: number): Promise<void>;
}

/** Form of a target: a folder, an id and an extension. */
const targetPattern = /^(upload|vlive)\/([\w-]+\.[a-z0-9]+)$/i;
/** Folders that may be links to another disk. */
const linkable = ['upload', 'vlive', 'record'];

export async function openMediaFolders(root: string): Promise<MediaFolders> {
  const upload = join(root, 'upload');
  const vlive = join(root, 'vlive');
  const partial = join(upload, '.partial');
  for (const folder of [upload, vlive, partial]) await mkdir(folder, { recursive: true });
  const folders: Readonly<Record<string, string>> = { upload, vlive };

  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(upload);
    return Math.max(0, bavail * bsize - reservedDiskBytes);
  };

  return {
    upload,
    vlive,
    partial,
    async pathOf(target) {
      const [, folder = '', name = ''] = targetPattern.exec(target) ?? [];
      const base = folders[folder];
      return base ? resolveInside(base, name) : undefined;
    },
    async serverPath(file) {
      if (file === '') throw new AppError('invalidRequest', because('file.path-missing'));
      const path = pathInData(root, file);
      if (path === undefined) throw new AppError('invalidRequest', because('file.outside'));
      const allowed = await Promise.all(
        [root, ...linkable.map((name) => join(root, name))].map((each) => resolveInside(each, path)),
      );
      const found = allowed.find((each) => each !== undefined);
      if (!found) {
        const exists = await realpath(path).then(
          () => true,
          () => false,
        );
        if (exists) throw new AppError('invalidRequest', because('file.outside'));
        throw new AppError('fileNotFound');
      }
      if (!(await stat(found)).isFile()) throw new AppError('fileNotFound', because('file.not-a-file'));
      return found;
    },
    freeBytes,
    async requireRoom(bytes) {
      if ((await freeBytes()) < bytes) throw new AppError('diskFull');
    },
  };
}

/** `/data` stands for the data folder, wherever it is; `..` must not leave it. */
function pathInData(root: string, file: string): string | undefined {
  if (file.includes('\0')) return undefined;
  const relative = /^(?:\.\/)?(upload\/.*)$/s.exec(file)?.[1];
  const inData = /^\/data\/(.*)$/s.exec(file)?.[1];
  const inRoot = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : undefined;
  const inside = relative ?? inRoot ?? inData;
  if (inside === undefined) return undefined;
  const path = resolve(root, inside);
  return path.startsWith(`${root}/`) ? path : undefined;
}
