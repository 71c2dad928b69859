// Files for virtual live: received, checked by name and content, kept for every target to use, deleted on demand. What
// nobody ever used goes after a while, and so do uploads that were never finished.
import { randomUUID } from 'node:crypto';
import { copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AcquiredSource,
  AppError,
  because,
  type LibraryFile,
  maxUploadBytes,
  serverFileExtensions,
  uploadExtensions,
} from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Collection, CollectionType, Store } from '../store/store.ts';
import type { MediaFolders } from './media-folders.ts';
import { fittingExtension, readHead } from './media-kind.ts';
import { storeUpload } from './upload-file.ts';
import { createUploadGuard, type UploadGuard, withDiskFull } from './upload-guard.ts';

/** A file that was received and never used is deleted after this time, milliseconds. */
const unusedFileMs = 2 * 3_600_000;
/** An upload that was begun and not continued is deleted after this time, milliseconds. */
const abandonedUploadMs = 24 * 3_600_000;
/** Longest name shown, characters. */
const maxNameLength = 255;

interface StoredFile {
  readonly uuid: string;
  readonly name: string;
  readonly size: number;
  readonly target: string;
  readonly type: 'upload' | 'file';
  /** RFC 3339. */
  readonly addedAt: string;
}

const storedFiles: CollectionType<StoredFile> = {
  name: 'media-files',
  schema: z.object({
    uuid: z.string(),
    name: z.string(),
    size: z.number(),
    target: z.string(),
    type: z.enum(['upload', 'file']),
    addedAt: z.string(),
  }),
};

export interface MediaLibrary {
  /** Refuses a name or size before a byte is sent. Throws `fileTypeRefused`, `uploadTooLarge`, `diskFull`. */
  admit(name: string, sizeBytes: number | undefined): Promise<void>;
  /** What watches every received byte. */
  readonly guard: UploadGuard;
  /** Stores a body as it comes. Nothing is left when it fails. */
  receive(name: string, body: Readable): Promise<AcquiredSource>;
  /** Takes a complete file of the partial folder over; `uuid` becomes its id. */
  takeOver(path: string, name: string, uuid: string): Promise<AcquiredSource>;
  /** Takes a file of the server, by a link where the disk allows, else by a copy. */
  acquire(file: string): Promise<AcquiredSource>;
  /** Moves a received file to the kept ones; answers its target there. A kept one stays. Throws `fileNotFound`. */
  keep(target: string): Promise<string>;
  /** Deletes a received file that turned out to be unusable; a kept one stays. */
  discard(target: string): Promise<void>;
  list(usedBy: (target: string) => string[]): Promise<LibraryFile[]>;
  remove(uuid: string, usedBy: (target: string) => string[]): Promise<string>;
  /** Deletes what nobody will miss. */
  cleanUp(isUsed: (target: string) => boolean): Promise<void>;
}

export interface MediaLibraryDeps {
  readonly store: Store;
  readonly folders: MediaFolders;
  readonly log: Log;
  readonly now: () => Date;
}

export function createMediaLibrary(deps: MediaLibraryDeps): MediaLibrary {
  return new StoredMediaLibrary(deps);
}

class StoredMediaLibrary implements MediaLibrary {
  readonly #deps: MediaLibraryDeps;
  readonly #files: Collection<StoredFile>;
  readonly guard: MediaLibrary['guard'];

  constructor(deps: MediaLibraryDeps) {
    this.#deps = deps;
    this.#files = deps.store.collection(storedFiles);
    this.guard = createUploadGuard((bytes) => deps.folders.requireRoom(bytes));
  }

  async admit(name: string, sizeBytes: number | undefined): Promise<void> {
    requireExtension(name, uploadExtensions);
    if (sizeBytes === undefined) return this.#deps.folders.requireRoom(1);
    if (sizeBytes > maxUploadBytes)
      throw new AppError('uploadTooLarge', because('file.too-large', { gib: maxUploadBytes / 1024 ** 3 }));
    return this.#deps.folders.requireRoom(sizeBytes);
  }

  async receive(name: string, body: Readable): Promise<AcquiredSource> {
    const uuid = randomUUID();
    const path = join(this.#deps.folders.partial, uuid);
    try {
      await storeUpload(body, { path, flags: 'wx', start: 0, watch: this.guard() });
    } catch (error) {
      await rm(path, { force: true });
      throw withDiskFull(error);
    }
    return this.#settleOrRemove(path, { uuid, name: shownName(name), type: 'upload' });
  }

  takeOver(path: string, name: string, uuid: string): Promise<AcquiredSource> {
    return this.#settleOrRemove(path, { uuid, name: shownName(name), type: 'upload' });
  }

  async acquire(file: string): Promise<AcquiredSource> {
    const path = await this.#deps.folders.serverPath(file);
    const name = basename(path);
    requireExtension(name, serverFileExtensions);
    const uuid = randomUUID();
    const copy = join(this.#deps.folders.partial, uuid);
    await linkOrCopy(path, copy, async () => this.#deps.folders.requireRoom((await stat(path)).size));
    return this.#settleOrRemove(copy, { uuid, name: shownName(name), type: 'file' });
  }

  async keep(target: string): Promise<string> {
    const path = await this.#deps.folders.pathOf(target);
    if (!path) throw new AppError('fileNotFound', because('file.choose-again'));
    if (!target.startsWith('upload/')) return target;
    const kept = `vlive/${basename(target)}`;
    const file = await this.#fileAt(target);
    // The row first: a crash in between leaves a row whose file is still found by `cleanUp`.
    if (file) await this.#files.put(file.uuid, { ...file, target: kept });
    await moveFile(path, join(this.#deps.folders.vlive, basename(target)));
    return kept;
  }

  async discard(target: string): Promise<void> {
    if (!target.startsWith('upload/')) return;
    const file = await this.#fileAt(target);
    if (file) await this.#removeFile(file);
  }

  async list(usedBy: (target: string) => string[]): Promise<LibraryFile[]> {
    const all = [...(await this.#files.entries()).values()];
    return all
      .sort((a, b) => b.addedAt.localeCompare(a.addedAt))
      .map((file) => {
        const users = usedBy(file.target);
        const stays = users.length > 0 || file.target.startsWith('vlive/');
        const expiresAt = stays ? '' : new Date(Date.parse(file.addedAt) + unusedFileMs).toISOString();
        return { ...file, expiresAt, usedBy: users };
      });
  }

  async remove(uuid: string, usedBy: (target: string) => string[]): Promise<string> {
    const file = await this.#files.get(uuid);
    if (!file) throw new AppError('fileNotFound');
    const users = usedBy(file.target);
    if (users.length > 0) throw new AppError('fileInUse', because('file.used-by', { users: users.join(', ') }));
    await this.#removeFile(file);
    return file.name;
  }

  async cleanUp(isUsed: (target: string) => boolean): Promise<void> {
    const nowMs = this.#deps.now().getTime();
    for (const file of (await this.#files.entries()).values()) await this.#cleanUpFile(file, nowMs, isUsed);
    await removeOld(this.#deps.folders.partial, nowMs - abandonedUploadMs);
    await removeOld(this.#deps.folders.upload, nowMs - abandonedUploadMs, await this.#knownNames());
  }

  /** Checks a complete file and gives it its place. */
  async #settle(path: string, part: Pick<StoredFile, 'uuid' | 'name' | 'type'>): Promise<AcquiredSource> {
    const { size } = await stat(path);
    const extension = fittingExtension(await readHead(path), extname(part.name).toLowerCase());
    const accepted: readonly string[] = part.type === 'upload' ? uploadExtensions : serverFileExtensions;
    if (size === 0) throw new AppError('mediaUnusable', because('file.empty'));
    if (!extension || !accepted.includes(extension))
      throw new AppError('fileTypeRefused', because('file.content', { types: typesOf(accepted) }));
    const target = `upload/${part.uuid}${extension}`;
    await rename(path, join(this.#deps.folders.upload, basename(target)));
    await this.#files.put(part.uuid, { ...part, size, target, addedAt: this.#deps.now().toISOString() });
    return { name: part.name, uuid: part.uuid, target, size };
  }

  async #settleOrRemove(path: string, part: Pick<StoredFile, 'uuid' | 'name' | 'type'>) {
    try {
      return await this.#settle(path, part);
    } catch (error) {
      await rm(path, { force: true });
      throw withDiskFull(error);
    }
  }

  async #fileAt(target: string) {
    return [...(await this.#files.entries()).values()].find((file) => file.target === target);
  }

  async #removeFile(file: StoredFile): Promise<void> {
    const path = await this.#deps.folders.pathOf(file.target);
    if (path) await rm(path, { force: true });
    await this.#files.remove(file.uuid);
  }

  async #cleanUpFile(file: StoredFile, nowMs: number, isUsed: (target: string) => boolean): Promise<void> {
    if (file.target.startsWith('vlive/')) return this.#finishMove(file);
    if (isUsed(file.target) || nowMs - Date.parse(file.addedAt) < unusedFileMs) return;
    this.#deps.log.info({ name: file.name, sizeBytes: file.size }, 'unused upload deleted');
    await this.#removeFile(file);
  }

  /** A move cut short by a crash is finished; a row whose file is gone is forgotten. */
  async #finishMove(file: StoredFile): Promise<void> {
    if (await this.#deps.folders.pathOf(file.target)) return;
    const before = await this.#deps.folders.pathOf(`upload/${basename(file.target)}`);
    if (before) await moveFile(before, join(this.#deps.folders.vlive, basename(file.target)));
    else await this.#files.remove(file.uuid);
  }

  async #knownNames(): Promise<Set<string>> {
    return new Set([...(await this.#files.entries()).values()].map(({ target }) => basename(target)));
  }
}

function requireExtension(name: string, accepted: readonly string[]): void {
  if (accepted.includes(extname(name).toLowerCase())) return;
  throw new AppError('fileTypeRefused', because('file.ending', { types: typesOf(accepted) }));
}

/** As the page names them: `mp4/flv/ts`. */
function typesOf(extensions: readonly string[]): string {
  return extensions.map((each) => each.slice(1)).join('/');
}

/** For people only; the file on disk has a name of ours. */
function shownName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return (
    base
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, maxNameLength) || 'file'
  );
}

async function linkOrCopy(from: string, to: string, requireRoom: () => Promise<void>): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await requireRoom();
    await copyFile(from, to).catch(async (error) => {
      await rm(to, { force: true });
      throw withDiskFull(error);
    });
  }
}

/** The folders may be links to different disks. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from, { force: true });
  }
}

async function removeOld(folder: string, beforeMs: number, keep: ReadonlySet<string> = new Set()): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || keep.has(entry.name)) continue;
    const path = join(folder, entry.name);
    const found = await stat(path).catch(() => undefined);
    if (found && Math.max(found.mtimeMs, found.ctimeMs) < beforeMs) await rm(path, { force: true });
  }
}
