// Paths of media files in the data folder, free disk space, and conversions from names to paths.
import { mkdir, readdir, realpath, stat, statfs } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { AppError, because, serverFileExtensions } from '@srs-stack/contract';
import { resolveInside } from '@srs-stack/process/data-folder.ts';

/** Disk space that uploads never use, bytes: reserved for the store, recordings and the system. */
const reservedDiskBytes = 1024 ** 3;

export interface MediaFolders {
  /** Received files that no task has used yet. */
  readonly upload: string;
  /** Files that a task has used, or that the library keeps. */
  readonly vlive: string;
  readonly partial: string;
  /** Path of `upload/name` or `vlive/name`; undefined for a missing file. */
  pathOf(target: string): Promise<string | undefined>;
  /**
   * Path of a file that the operator names: `/data/...`, `upload/...`, `./upload/...`, or an absolute path in the data folder. Throws an
   * error that names the violated rule.
   */
  serverPath(file: string): Promise<string>;
  /**
   * Paths of up to 500 media files in a folder that the operator names. Undefined for a missing folder, and for a folder outside the data
   * folder.
   */
  mediaIn(folder: string): Promise<string[] | undefined>;
  freeBytes(): Promise<number>;
  /** Throws `diskFull` when `bytes` do not fit. */
  requireSpace(bytes: number): Promise<void>;
}

/** Maximum number of listed files per folder. */
const maxFolderFiles = 500;

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
    mediaIn: (folder) => mediaIn(root, folder),
    freeBytes,
    async requireSpace(bytes) {
      if ((await freeBytes()) < bytes) throw new AppError('diskFull');
    },
  };
}

async function mediaIn(root: string, folder: string): Promise<string[] | undefined> {
  const path = pathInData(root, folder);
  if (path === undefined) return undefined;
  const roots = [root, ...linkable.map((name) => join(root, name))];
  const inside = await Promise.all(roots.map((each) => resolveInside(each, path)));
  const found = inside.find((each) => each !== undefined);
  const names = found && (await readdir(found, { withFileTypes: true }).catch(() => undefined));
  if (!names) return undefined;
  const media: readonly string[] = serverFileExtensions;
  return names
    .filter((entry) => entry.isFile() && media.includes(extname(entry.name).toLowerCase()))
    .map(({ name }) => join(found, name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .slice(0, maxFolderFiles);
}

/** Converts a path from the operator, where `/data` means the data folder. Returns undefined for a path outside the data folder. */
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
