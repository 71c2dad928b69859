// The folder of prepared files: all files with their lengths, and at most one FFmpeg that prepares a file.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '@srs-stack/contract';
import { indexNameOf } from '@srs-stack/process/channel-orders.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { FileToPrepare, prepareFile } from './prepare-file.ts';

/** Pause after a failed preparation, milliseconds. */
const retryMs = 10 * 60_000;
/** Unused files stay this long, milliseconds. Their sources may only be temporarily missing, e.g. on an unmounted disk. */
const unusedMs = 3_600_000;
/** Pause after a preparation that failed because the disk was full, milliseconds. */
const fullDiskRetryMs = 60_000;

export interface PreparedFilesDeps {
  /** Absolute path. */
  readonly folder: string;
  readonly prepare: typeof prepareFile;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export interface NeededFile extends FileToPrepare {
  readonly title: string;
}

export interface PreparationFailure {
  readonly reason: 'failed' | 'disk-full';
  readonly detail: string;
}

interface Running {
  readonly wanted: NeededFile;
  done: number;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

export async function openPreparedFiles(deps: PreparedFilesDeps): Promise<PreparedFiles> {
  await mkdir(deps.folder, { recursive: true });
  const files = new PreparedFiles(deps);
  await files.refresh();
  return files;
}

export class PreparedFiles {
  readonly #deps: PreparedFilesDeps;
  #lengths = new Map<string, number>();
  readonly #failures = new Map<string, PreparationFailure & { readonly againMs: number }>();
  /** Start of the unused time of each file by file name, monotonic milliseconds. */
  #unusedSinceMs = new Map<string, number>();
  #running: Running | undefined;

  constructor(deps: PreparedFilesDeps) {
    this.#deps = deps;
  }

  async refresh(): Promise<void> {
    const lengths = new Map<string, number>();
    for (const name of await readdir(this.#deps.folder)) {
      if (!name.endsWith('.flv')) continue;
      const path = join(this.#deps.folder, name);
      const durationMs = this.#lengths.get(path) ?? (await lengthOf(path));
      if (durationMs !== undefined) lengths.set(path, durationMs);
    }
    this.#lengths = lengths;
    const now = this.#deps.clock();
    for (const [path, { againMs }] of this.#failures) if (now >= againMs) this.#failures.delete(path);
  }

  /** Milliseconds; undefined until the file is prepared. */
  lengthOf(path: string): number | undefined {
    return this.#lengths.get(path);
  }

  failureOf(path: string): PreparationFailure | undefined {
    return this.#failures.get(path);
  }

  get running(): { readonly output: string; readonly title: string; readonly done: number } | undefined {
    if (!this.#running) return undefined;
    const { wanted, done } = this.#running;
    return { output: wanted.output, title: wanted.title, done };
  }

  get ended(): Promise<void> | undefined {
    return this.#running?.ended;
  }

  /**
   * Prepares the first file that neither exists nor has failed. While a preparation runs, only stops it if its file is no longer needed.
   */
  prepare(wanted: readonly NeededFile[]): void {
    const running = this.#running;
    if (running && !wanted.some(({ output }) => output === running.wanted.output)) running.stop.abort();
    const next = running
      ? undefined
      : wanted.find(({ output }) => !this.#lengths.has(output) && !this.#failures.has(output));
    if (!next) return;
    const stop = new AbortController();
    this.#running = { wanted: next, done: 0, stop, ended: this.#run(next, stop.signal) };
  }

  /** Ends the running preparation. */
  async close(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  /** Removes files that no schedule has used for an hour. */
  async keepOnly(paths: ReadonlySet<string>): Promise<void> {
    const kept = new Set([...paths].flatMap((path) => [basename(path), basename(indexNameOf(path))]));
    const running = this.#running && basename(this.#running.wanted.output);
    const now = this.#deps.clock();
    const unusedSinceMs = new Map<string, number>();
    for (const name of await readdir(this.#deps.folder)) {
      const isRunning = running !== undefined && name.startsWith(running);
      if (kept.has(name) || isRunning) continue;
      const sinceMs = this.#unusedSinceMs.get(name) ?? now;
      if (now - sinceMs >= unusedMs) await rm(join(this.#deps.folder, name), { force: true });
      else unusedSinceMs.set(name, sinceMs);
    }
    this.#unusedSinceMs = unusedSinceMs;
  }

  async #run(wanted: NeededFile, signal: AbortSignal): Promise<void> {
    // Waits until the caller has stored `#running`.
    await Promise.resolve();
    try {
      const durationMs = await this.#deps.prepare(wanted, signal, (done) => {
        if (this.#running) this.#running.done = done;
      });
      this.#lengths.set(wanted.output, durationMs);
    } catch (error) {
      if (!signal.aborted) this.#noteFailure(wanted, error as Error);
    } finally {
      this.#running = undefined;
    }
  }

  #noteFailure({ output, title }: NeededFile, error: Error): void {
    const isFull = error instanceof AppError && error.errorName === 'diskFull';
    const againMs = this.#deps.clock() + (isFull ? fullDiskRetryMs : retryMs);
    this.#failures.set(output, { reason: isFull ? 'disk-full' : 'failed', detail: error.message, againMs });
    this.#deps.log.warn({ title, reason: error.message }, 'file of a channel could not be prepared');
  }
}

/** Milliseconds; undefined without a usable index. The file is then prepared again. */
async function lengthOf(path: string): Promise<number | undefined> {
  try {
    const { durationMs } = JSON.parse(await readFile(indexNameOf(path), 'utf8')) as { durationMs?: unknown };
    return typeof durationMs === 'number' && durationMs > 0 ? durationMs : undefined;
  } catch {
    return undefined;
  }
}
