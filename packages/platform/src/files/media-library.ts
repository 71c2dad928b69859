// Files for virtual live streams, channels and slates. Files come from every kind of source and are listed with the nodes that store them.
// Unused files and unfinished uploads expire.
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type AcquiredSource, AppError, because, type LibraryFile } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { StoredObject } from '../objects/bucket.ts';
import type { Objects } from '../objects/open-objects.ts';
import type { Collection, Store } from '../store/store.ts';
import { digestOf, type FetchProgress, FileFetch } from './file-fetch.ts';
import { createFileIntake, type FileIntake } from './file-intake.ts';
import type { MediaFolders } from './media-folders.ts';
import { type FileNodes, type StoredFile, storedFiles } from './stored-file.ts';

/** Age at which an unused received file is deleted, milliseconds. */
const unusedFileMs = 2 * 3_600_000;
/** Age at which an upload without progress is deleted, milliseconds. */
const abandonedUploadMs = 24 * 3_600_000;
/** Content types of objects by file extension; `application/octet-stream` for all others. */
const contentTypes: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.ts': 'video/mp2t',
  '.mov': 'video/quicktime',
};
export interface MediaLibrary extends FileIntake {
  /** Moves a received file to the kept files and returns the new target. Does nothing for a kept file. Throws `fileNotFound`. */
  keep(target: string): Promise<string>;
  /** Deletes an unusable received file. Does nothing for a kept file. */
  discard(target: string): Promise<void>;
  list(usedBy: (target: string) => string[]): Promise<LibraryFile[]>;
  remove(uuid: string, usedBy: (target: string) => string[]): Promise<string>;
  cleanUp(isUsed: (target: string) => boolean): Promise<void>;
  /** Locates a file on another node; undefined for a local or unknown file. */
  elsewhere(target: string): Promise<FileElsewhere | undefined>;
  /** Starts or continues the download of a file that has a copy in a bucket. */
  fetch(file: FileElsewhere): FetchProgress;
  /** Number of files without a copy in a bucket, by node id; empty on a single server. */
  onlyThere(): Promise<Map<string, number>>;
  close(): Promise<void>;
}

/** A file on another node. */
export interface FileElsewhere {
  readonly row: StoredFile;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly isNodeThere: boolean;
  readonly isNodeRunning: boolean;
  /** Copy in a bucket; undefined when only the other node has the file. */
  readonly object: StoredObject | undefined;
}

export type FileBucket = Pick<Objects, 'own' | 'recordings' | 'offer' | 'remove' | 'read'>;

export interface MediaLibraryDeps {
  readonly store: Store;
  readonly folders: MediaFolders;
  readonly nodes: FileNodes;
  readonly bucket: FileBucket;
  readonly log: Log;
  readonly now: () => Date;
  readonly monotonicMs?: () => number;
}

export function createMediaLibrary(deps: MediaLibraryDeps): MediaLibrary {
  const library = new StoredMediaLibrary(deps);
  deps.bucket.own(library);
  deps.store.subscribe((change) =>
    change.kind === 'row' && change.collection === storedFiles.name ? library.onRow(change.id) : undefined,
  );
  return library;
}

class StoredMediaLibrary implements MediaLibrary {
  readonly #deps: MediaLibraryDeps;
  readonly #files: Collection<StoredFile>;
  readonly #intake: FileIntake;
  readonly #fetch: FileFetch;

  constructor(deps: MediaLibraryDeps) {
    this.#deps = deps;
    this.#fetch = new FileFetch(deps);
    this.#files = deps.store.collection(storedFiles);
    this.#intake = createFileIntake({ ...deps, put: (file) => this.#put(file) });
  }

  get guard(): MediaLibrary['guard'] {
    return this.#intake.guard;
  }

  admit(name: string, sizeBytes: number | undefined): Promise<void> {
    return this.#intake.admit(name, sizeBytes);
  }

  receive(name: string, body: Readable): Promise<AcquiredSource> {
    return this.#intake.receive(name, body);
  }

  takeOver(path: string, name: string, uuid: string): Promise<AcquiredSource> {
    return this.#intake.takeOver(path, name, uuid);
  }

  acquire(file: string): Promise<AcquiredSource> {
    return this.#intake.acquire(file);
  }

  async keep(target: string): Promise<string> {
    const path = await this.#deps.folders.pathOf(target);
    if (!path) throw new AppError('fileNotFound', because('file.choose-again'));
    if (!target.startsWith('upload/')) return target;
    const kept = `vlive/${basename(target)}`;
    const file = await this.#fileAt(target);
    // Writes the row first, so that `cleanUp` finds the file after a crash.
    const moved = file && { ...file, target: kept };
    if (moved) await this.#put(moved);
    await moveFile(path, join(this.#deps.folders.vlive, basename(target)));
    if (moved) this.#offer(moved);
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
        return { ...this.#shown(file), expiresAt, usedBy: users };
      });
  }

  async remove(uuid: string, usedBy: (target: string) => string[]): Promise<string> {
    const file = await this.#files.get(uuid);
    if (!file) throw new AppError('fileNotFound');
    const users = usedBy(file.target);
    if (users.length > 0) throw new AppError('fileInUse', because('file.used-by', { users: users.join(', ') }));
    const elsewhere = await this.#locateElsewhere(file);
    // The node that has this file is down, and may come back with the file.
    if (elsewhere && !elsewhere.isNodeThere)
      throw new AppError('nodeAway', because('cluster.node-away', { name: elsewhere.nodeName }));
    await this.#removeFile(file);
    return file.name;
  }

  async elsewhere(target: string): Promise<FileElsewhere | undefined> {
    const file = await this.#fileAt(target);
    return file && this.#locateElsewhere(file);
  }

  fetch({ row, object }: FileElsewhere): FetchProgress {
    if (!object) throw new Error('the file is not in the object storage');
    return this.#fetch.ensure(row, object);
  }

  async onlyThere(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const { isShared, self } = this.#deps.nodes;
    const all = isShared ? [...(await this.#files.entries()).values()] : [];
    for (const { node = self.id, object } of all) if (!object) counts.set(node, (counts.get(node) ?? 0) + 1);
    return counts;
  }

  async onStored(uuid: string, object: StoredObject): Promise<void> {
    const file = await this.#files.get(uuid);
    const path = file && (await this.#deps.folders.pathOf(file.target));
    if (file && path) await this.#put({ ...file, object, sha256: await digestOf(path) });
  }

  /** Queues an upload of every kept file on this node that the bucket lacks. */
  async onSettings(): Promise<void> {
    for (const file of (await this.#files.entries()).values())
      if (!(await this.#locateElsewhere(file))) this.#offer(file);
  }

  /** Handles a row change by another node: deletes the local file of a deleted row. */
  async onRow(uuid: string): Promise<void> {
    if (await this.#files.get(uuid)) return;
    const { upload, vlive } = this.#deps.folders;
    for (const folder of [upload, vlive]) {
      const names = await readdir(folder);
      for (const name of names.filter((each) => each.startsWith(`${uuid}.`)))
        await rm(join(folder, name), { force: true });
    }
  }

  close(): Promise<void> {
    return this.#fetch.close();
  }

  async cleanUp(isUsed: (target: string) => boolean): Promise<void> {
    const nowMs = this.#deps.now().getTime();
    for (const file of (await this.#files.entries()).values())
      if (!(await this.#locateElsewhere(file))) await this.#cleanUpFile(file, nowMs, isUsed);
    await this.#fetch.cleanUp(isUsed);
    await this.onSettings();
    await removeOld(this.#deps.folders.partial, nowMs - abandonedUploadMs);
    await removeOld(this.#deps.folders.upload, nowMs - abandonedUploadMs, await this.#knownNames());
  }

  async #fileAt(target: string) {
    return [...(await this.#files.entries()).values()].find((file) => file.target === target);
  }

  async #put(file: StoredFile): Promise<void> {
    const { id: node, name: nodeName } = this.#deps.nodes.self;
    await this.#files.put(file.uuid, { ...file, node, nodeName });
  }

  /** Location on another node; undefined for a file that should be on this node. */
  async #locateElsewhere(row: StoredFile): Promise<FileElsewhere | undefined> {
    const { nodes, folders } = this.#deps;
    if (!nodes.isShared || row.node === nodes.self.id) return undefined;
    // Rows of earlier releases have no node. Then the node that has the file is the owner.
    if (row.node === undefined && (await folders.pathOf(row.target))) return undefined;
    const nodeId = row.node ?? '';
    const found = nodes.list().find(({ id }) => id === nodeId);
    const nodeName = found?.name ?? row.nodeName ?? nodeId;
    const state = { isNodeThere: found !== undefined, isNodeRunning: found?.state === 'running' };
    return { row, nodeId, nodeName, ...state, object: row.sha256 ? row.object : undefined };
  }

  #shown({ node: id, nodeName, object, sha256: _, ...file }: StoredFile): Omit<LibraryFile, 'expiresAt' | 'usedBy'> {
    const { nodes } = this.#deps;
    const place = object ? ('both' as const) : ('server' as const);
    if (!nodes.isShared || id === undefined) return { ...file, place };
    const found = nodes.list().find((each) => each.id === id);
    return { ...file, place, node: { id, name: found?.name ?? nodeName ?? id, isAway: !found } };
  }

  #offer({ uuid, target, size, object }: StoredFile): void {
    const { bucket, folders } = this.#deps;
    if (bucket.recordings() === undefined || object || !target.startsWith('vlive/')) return;
    const name = basename(target);
    const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
    bucket.offer({ uuid, path: join(folders.vlive, name), key: `vlive/${name}`, contentType, sizeBytes: size });
  }

  async #removeFile(file: StoredFile): Promise<void> {
    const path = await this.#deps.folders.pathOf(file.target);
    await this.#deps.bucket.remove(file.uuid, file.object);
    if (path) await rm(path, { force: true });
    await this.#files.remove(file.uuid);
  }

  async #cleanUpFile(file: StoredFile, nowMs: number, isUsed: (target: string) => boolean): Promise<void> {
    if (file.target.startsWith('vlive/')) return this.#finishMove(file);
    if (isUsed(file.target) || nowMs - Date.parse(file.addedAt) < unusedFileMs) return;
    this.#deps.log.info({ name: file.name, sizeBytes: file.size }, 'unused upload deleted');
    await this.#removeFile(file);
  }

  /** Completes a move that a crash interrupted. Removes a row whose file is missing. */
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

/** Copies if a rename is impossible, because the folders may be links to different disks. */
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
