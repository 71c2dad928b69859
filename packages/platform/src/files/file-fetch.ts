// Downloads files that tasks on this node need from the bucket, in the background and resumable. An empty marker file distinguishes a
// downloaded copy from the node's own files. Marked copies are removed when no task uses them any more.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '@srs-stack/process/log.ts';
import type { StoredObject } from '../objects/bucket.ts';
import type { Objects } from '../objects/open-objects.ts';
import type { MediaFolders } from './media-folders.ts';
import type { StoredFile } from './stored-file.ts';

const retryMs = 5_000;
/** Timeout without data from the bucket, milliseconds. The next attempt continues a partial download. */
const stallMs = 30_000;

/** Progress of a download. A later call of `ensure` retries a failed download. */
export interface FetchProgress {
  readonly percent: number;
  /** English error of the last failed attempt; '' if none has failed. */
  readonly problem: string;
}

export interface FileFetchDeps {
  readonly folders: MediaFolders;
  readonly bucket: Pick<Objects, 'read'>;
  readonly log: Log;
  readonly monotonicMs?: () => number;
}

interface Fetch {
  readonly abort: AbortController;
  bytes: number;
  problem: string;
  /** Monotonic milliseconds; undefined while the download is running. */
  endedAtMs: number | undefined;
  ended: Promise<void>;
}

export class FileFetch {
  readonly #deps: FileFetchDeps;
  readonly #fetches = new Map<string, Fetch>();
  readonly #marks: string;
  #isClosed = false;

  constructor(deps: FileFetchDeps) {
    this.#deps = deps;
    this.#marks = join(deps.folders.vlive, '.fetched');
  }

  ensure(file: StoredFile, object: StoredObject): FetchProgress {
    const known = this.#fetches.get(file.uuid);
    const now = this.#now();
    const isDue = known?.endedAtMs !== undefined && now - known.endedAtMs >= retryMs;
    const fetch = !known || isDue ? this.#begin(file, object, known?.problem ?? '') : known;
    return { percent: Math.floor((100 * fetch.bytes) / Math.max(1, file.size)), problem: fetch.problem };
  }

  async cleanUp(isUsed: (target: string) => boolean): Promise<void> {
    for (const name of await readdir(this.#marks).catch(() => [])) {
      if (isUsed(`vlive/${name}`)) continue;
      await rm(join(this.#deps.folders.vlive, name), { force: true });
      await rm(join(this.#marks, name), { force: true });
    }
  }

  /** Resolves when no download is running. The next start continues partial files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { abort } of this.#fetches.values()) abort.abort();
    await Promise.all([...this.#fetches.values()].map(({ ended }) => ended));
  }

  #now(): number {
    return (this.#deps.monotonicMs ?? (() => performance.now()))();
  }

  #begin(file: StoredFile, object: StoredObject, problem: string): Fetch {
    const fetch: Fetch = {
      abort: new AbortController(),
      bytes: 0,
      problem,
      endedAtMs: undefined,
      ended: Promise.resolve(),
    };
    this.#fetches.set(file.uuid, fetch);
    if (this.#isClosed) return fetch;
    fetch.ended = this.#bring(file, object, fetch).then(
      () => {
        this.#fetches.delete(file.uuid);
      },
      (error: Error) => {
        fetch.problem = error.message;
        fetch.endedAtMs = this.#now();
        this.#deps.log.warn({ err: error, name: file.name }, 'download of a file from the bucket failed');
      },
    );
    return fetch;
  }

  async #bring(file: StoredFile, object: StoredObject, fetch: Fetch): Promise<void> {
    const { folders, bucket, log } = this.#deps;
    const part = join(folders.partial, `${file.uuid}.fetch`);
    const start = await stat(part).then(
      ({ size }) => (size <= object.sizeBytes ? size : 0),
      () => 0,
    );
    fetch.bytes = start;
    await folders.requireSpace(object.sizeBytes - start);
    if (start < object.sizeBytes) {
      const stalled = new AbortController();
      const signal = AbortSignal.any([fetch.abort.signal, stalled.signal]);
      const body = await bucket.read(object, { start, end: object.sizeBytes }, signal);
      const stall = setTimeout(() => stalled.abort(new Error('the bucket sends no data')), stallMs);
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          fetch.bytes += chunk.length;
          stall.refresh();
          done(null, chunk);
        },
      });
      const target = createWriteStream(part, { flags: start === 0 ? 'w' : 'r+', start, flush: true });
      await pipeline(body, count, target, { signal }).finally(() => clearTimeout(stall));
    }
    await prove(part, file, object);
    const name = basename(file.target);
    // Writes the marker first: a copy without a marker would never be removed.
    await mkdir(this.#marks, { recursive: true });
    await writeFile(join(this.#marks, name), '');
    await rename(part, join(folders.vlive, name));
    log.info({ name: file.name, sizeBytes: object.sizeBytes }, 'downloaded a file from the bucket');
  }
}

/** Rejects and deletes the file when the bytes differ from the uploaded file. */
async function prove(path: string, { sha256 }: StoredFile, { sizeBytes }: StoredObject): Promise<void> {
  const { size } = await stat(path);
  if (size === sizeBytes && (await digestOf(path)) === sha256) return;
  await rm(path, { force: true });
  throw new Error('the file in the bucket differs from the file that was uploaded');
}

/** SHA-256 in hex. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
