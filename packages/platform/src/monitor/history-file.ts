// Stores the history in a file of fixed size. A changed row is overwritten in place, with a checksum. A killed process loses at most the
// newest sample and the row that it was writing.
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MonitorRange } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { createHistory, type History, type MetricValues } from './history.ts';
import { headerBytes, headerText, rowBytes, rowCount, rowWidth } from './history-layout.ts';

const fileBytes = headerBytes + rowCount * rowBytes;
const fileMode = 0o600;

export interface HistoryFile extends Pick<History, 'read'> {
  /** Returns immediately. Writes run in sequence. */
  add(atMs: number, values: MetricValues): void;
  /** Resolves when all rows are written or writing has failed. Idempotent. */
  close(): Promise<void>;
}

/** Opens the history. Never rejects: with an unusable file, logs the error and keeps the history only in memory. */
export async function openHistoryFile(path: string, nowMs: number, log: Log): Promise<HistoryFile> {
  const history = createHistory();
  const opened = await openFile(path, log).catch((error) => {
    log.error({ err: error, path }, 'metrics history cannot be stored on disk and is lost at the next restart');
    return undefined;
  });
  const file = opened?.file;
  const damaged = opened ? history.restore(opened.rows, nowMs) : 0;
  if (damaged > 0) log.warn({ damaged }, 'damaged rows of the metrics history were ignored');
  return new RowFile(path, log, history, file);
}

class RowFile implements HistoryFile {
  readonly #path: string;
  readonly #log: Log;
  readonly #history: History;
  readonly #file: FileHandle | undefined;
  readonly #changed = new Set<number>();
  #writing: Promise<void> | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(path: string, log: Log, history: History, file: FileHandle | undefined) {
    this.#path = path;
    this.#log = log;
    this.#history = history;
    this.#file = file;
  }

  read(range: MonitorRange, nowMs: number): ReturnType<HistoryFile['read']> {
    return this.#history.read(range, nowMs);
  }

  add(atMs: number, values: MetricValues): void {
    for (const index of this.#history.add(atMs, values)) this.#changed.add(index);
    this.#writeSoon();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#writing;
    this.#writeSoon();
    this.#isClosed = true;
    await this.#writing;
    await this.#file?.close();
  }

  async #writeChanged(target: FileHandle): Promise<void> {
    for (const index of this.#changed) {
      this.#changed.delete(index);
      const row = this.#history.row(index).slice();
      await target.write(new Uint8Array(row.buffer), 0, rowBytes, headerBytes + index * rowBytes);
    }
    this.#hasFailed = false;
  }

  #writeSoon() {
    if (!this.#file || this.#writing || this.#isClosed) return;
    this.#writing = this.#writeChanged(this.#file)
      .catch((error) => {
        if (!this.#hasFailed) this.#log.error({ err: error, path: this.#path }, 'metrics history could not be written');
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#writing = undefined;
      });
  }
}

interface OpenedFile {
  readonly file: FileHandle;
  readonly rows: Float64Array;
}

/** Opens the file and reads the rows. Renames a file of another layout. Leaves no file open on failure. */
async function openFile(path: string, log: Log): Promise<OpenedFile> {
  await mkdir(dirname(path), { recursive: true });
  const file = (await openExisting(path, log)) ?? (await createFile(path));
  const rows = new Float64Array(rowCount * rowWidth);
  await orClose(file, () => file.read(new Uint8Array(rows.buffer), 0, rows.byteLength, headerBytes));
  return { file, rows };
}

async function openExisting(path: string, log: Log): Promise<FileHandle | undefined> {
  const file = await open(path, 'r+').catch(() => undefined);
  if (!file) return undefined;
  const header = Buffer.alloc(headerBytes);
  await orClose(file, () => file.read(header, 0, headerBytes, 0));
  if (header.toString('latin1') === headerText) return file;
  await file.close();
  await rename(path, `${path}.old`);
  log.warn({ kept: `${path}.old` }, 'metrics history file has an unsupported layout and was renamed');
  return undefined;
}

/** Writes a complete file beside the final path first, so that later row writes need no new disk space. */
async function createFile(path: string): Promise<FileHandle> {
  const beside = `${path}.new`;
  const file = await open(beside, 'w+', fileMode);
  const empty = Buffer.alloc(fileBytes);
  empty.write(headerText, 'latin1');
  try {
    await orClose(file, async () => {
      await file.writeFile(empty);
      await file.sync();
      await rename(beside, path);
    });
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return file;
}

async function orClose<Result>(file: FileHandle, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await file.close();
    throw error;
  }
}
