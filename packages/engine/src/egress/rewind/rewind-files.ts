// The files of rewind windows on disk. The caller decides which files are kept.
import { constants, type Dirent } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  parseRewindImageName,
  parseRewindSegmentName,
  type RewindSegment,
  rewindFolderOf,
  toRewindSegments,
  writeRewindImageName,
  writeRewindSegmentName,
} from '@srs-stack/playback/rewind/rewind-names.ts';

/** Maximum depth of folders below the root: the parts of an app name, and the stream. */
const maxDepth = 8;
const partSuffix = '.part';
/** Error codes of links that the file system, the mount or the owner of the file does not allow. */
const cannotLink = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES'];

interface StreamName {
  readonly app: string;
  readonly stream: string;
}

export interface FoundWindow extends StreamName {
  readonly segments: readonly RewindSegment[];
}

export class RewindFiles {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  segmentPath(name: StreamName, segment: RewindSegment): string {
    return join(rewindFolderOf(this.root, name), writeRewindSegmentName(segment));
  }

  imagePath(name: StreamName, startMs: number): string {
    return join(rewindFolderOf(this.root, name), writeRewindImageName(startMs));
  }

  /** Links a finished segment under another name. If links are not possible, makes an atomic copy. Rejects with the system error. */
  async take(source: string, target: string): Promise<void> {
    await mkdir(dirname(target), { recursive: true });
    try {
      await link(source, target);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return;
      if (!cannotLink.includes(code)) throw error;
      await copyFile(source, target + partSuffix, constants.COPYFILE_FICLONE);
      await rename(target + partSuffix, target);
    }
  }

  /** Lists the stored segments of a stream from an earlier run or another gateway. */
  async read(name: StreamName): Promise<RewindSegment[]> {
    return toRewindSegments(await readdir(rewindFolderOf(this.root, name)).catch(() => []));
  }

  /** Finds all windows for which `isKnown` is false; removes incomplete files. */
  findAll(isKnown: (name: StreamName) => boolean): Promise<FoundWindow[]> {
    return this.#findIn([], isKnown);
  }

  /** Removes segments with their images. Never rejects; a file that cannot be removed is found again later. */
  async remove(name: StreamName, segments: readonly RewindSegment[]): Promise<void> {
    for (const segment of segments) {
      await unlink(this.segmentPath(name, segment)).catch(() => undefined);
      await unlink(this.imagePath(name, segment.startMs)).catch(() => undefined);
    }
  }

  /** Removes the folder of an empty window, and images without a segment. Never rejects. */
  async removeFolder(name: StreamName): Promise<void> {
    const folder = rewindFolderOf(this.root, name);
    for (const file of await readdir(folder).catch(() => [])) {
      if (parseRewindImageName(file) !== undefined) await unlink(join(folder, file)).catch(() => undefined);
    }
    await rmdir(folder).catch(() => undefined);
  }

  async #findIn(parts: readonly string[], isKnown: (name: StreamName) => boolean): Promise<FoundWindow[]> {
    const name = { app: parts.slice(0, -1).join('/'), stream: parts.at(-1) ?? '' };
    const folder = join(this.root, ...parts);
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const found: FoundWindow[] = [];
    for (const entry of entries) {
      if (entry.isDirectory() && parts.length < maxDepth)
        found.push(...(await this.#findIn([...parts, entry.name], isKnown)));
    }
    if (parts.length < 2 || isKnown(name)) return found;
    const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    for (const file of files) if (file.endsWith(partSuffix)) await rm(join(folder, file), { force: true });
    if (files.some((file) => parseRewindSegmentName(file))) found.push({ ...name, segments: toRewindSegments(files) });
    return found;
  }
}
