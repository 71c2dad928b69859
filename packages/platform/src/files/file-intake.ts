// Receives a media file from a request body or from the server's disk. Checks name and size before the transfer, and the content
// afterwards. A refused file leaves nothing behind.
import { randomUUID } from 'node:crypto';
import { copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AcquiredSource,
  AppError,
  because,
  maxUploadBytes,
  serverFileExtensions,
  uploadExtensions,
} from '@srs-stack/contract';
import type { MediaFolders } from './media-folders.ts';
import { fittingExtension, readHead } from './media-kind.ts';
import type { StoredFile } from './stored-file.ts';
import { storeUpload } from './upload-file.ts';
import { createUploadGuard, type UploadGuard, withDiskFull } from './upload-guard.ts';

/** Longest displayed name, characters. */
const maxNameLength = 255;

export interface FileIntake {
  /** Checks name and size before any byte is sent. Throws `fileTypeRefused`, `uploadTooLarge`, `diskFull`. */
  admit(name: string, sizeBytes: number | undefined): Promise<void>;
  readonly guard: UploadGuard;
  /** Stores a body as it arrives. Leaves no file on failure. */
  receive(name: string, body: Readable): Promise<AcquiredSource>;
  /** Adds a complete file from the partial folder. `uuid` becomes the id of the file. */
  takeOver(path: string, name: string, uuid: string): Promise<AcquiredSource>;
  /** Adds a file of the server: by a hard link if the disk supports links, else by a copy. */
  acquire(file: string): Promise<AcquiredSource>;
}

export interface FileIntakeDeps {
  readonly folders: Pick<MediaFolders, 'upload' | 'partial' | 'serverPath' | 'requireSpace'>;
  readonly put: (file: StoredFile) => Promise<void>;
  readonly now: () => Date;
}

export function createFileIntake(deps: FileIntakeDeps): FileIntake {
  return new CheckedIntake(deps);
}

type NamedFile = Pick<StoredFile, 'uuid' | 'name' | 'type'>;

class CheckedIntake implements FileIntake {
  readonly #deps: FileIntakeDeps;
  readonly guard: FileIntake['guard'];

  constructor(deps: FileIntakeDeps) {
    this.#deps = deps;
    this.guard = createUploadGuard((bytes) => deps.folders.requireSpace(bytes));
  }

  async admit(name: string, sizeBytes: number | undefined): Promise<void> {
    requireExtension(name, uploadExtensions);
    if (sizeBytes === undefined) return this.#deps.folders.requireSpace(1);
    if (sizeBytes > maxUploadBytes)
      throw new AppError('uploadTooLarge', because('file.too-large', { gib: maxUploadBytes / 1024 ** 3 }));
    return this.#deps.folders.requireSpace(sizeBytes);
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
    await linkOrCopy(path, copy, async () => this.#deps.folders.requireSpace((await stat(path)).size));
    return this.#settleOrRemove(copy, { uuid, name: shownName(name), type: 'file' });
  }

  async #settle(path: string, part: NamedFile): Promise<AcquiredSource> {
    const { size } = await stat(path);
    const extension = fittingExtension(await readHead(path), extname(part.name).toLowerCase());
    const accepted: readonly string[] = part.type === 'upload' ? uploadExtensions : serverFileExtensions;
    if (size === 0) throw new AppError('mediaUnusable', because('file.empty'));
    if (!extension || !accepted.includes(extension))
      throw new AppError('fileTypeRefused', because('file.content', { types: typesOf(accepted) }));
    const target = `upload/${part.uuid}${extension}`;
    await rename(path, join(this.#deps.folders.upload, basename(target)));
    await this.#deps.put({ ...part, size, target, addedAt: this.#deps.now().toISOString() });
    return { name: part.name, uuid: part.uuid, target, size };
  }

  async #settleOrRemove(path: string, part: NamedFile): Promise<AcquiredSource> {
    try {
      return await this.#settle(path, part);
    } catch (error) {
      await rm(path, { force: true });
      throw withDiskFull(error);
    }
  }
}

function requireExtension(name: string, accepted: readonly string[]): void {
  if (accepted.includes(extname(name).toLowerCase())) return;
  throw new AppError('fileTypeRefused', because('file.ending', { types: typesOf(accepted) }));
}

function typesOf(extensions: readonly string[]): string {
  return extensions.map((each) => each.slice(1)).join('/');
}

/** For display only; the file on disk has a generated name. */
function shownName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return (
    base
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, maxNameLength) || 'file'
  );
}

async function linkOrCopy(from: string, to: string, requireSpace: () => Promise<void>): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await requireSpace();
    await copyFile(from, to).catch(async (error) => {
      await rm(to, { force: true });
      throw withDiskFull(error);
    });
  }
}
