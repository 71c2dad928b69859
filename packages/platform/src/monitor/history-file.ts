// Keeps the history in one file of fixed size: every changed row is written in place, with a checksum. A process killed at
// any moment loses at most the row it was writing.
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MonitorRange } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { createHistory, type Figures, type History } from './history.ts';
import { headerBytes, headerText, rowBytes, rowCount, rowWidth } from './history-layout.ts';

const fileBytes = headerBytes + rowCount * rowBytes;
const fileMode = 0o600;

export interface HistoryFile extends Pick<History, 'read'> {
  /** Returns at once; writes follow one another. */
  add(atMs: number, figures: Figures): void;
  /** Resolves when everything is written; idempotent. */
  close(): Promise<void>;
}

/** Never rejects: without its file the history lives in memory only, and the log says so. */
export async function openHistoryFile(path: string, nowMs: number, log: Log): Promise<HistoryFile> {
  const history = createHistory();
  const file = await openFile(path, log).catch((error) => {
    log.error({ err: error, path }, 'history of figures is not kept on disk');
    return undefined;
  });
  if (file) {
    const rows = new Float64Array(rowCount * rowWidth);
    await file.read(new Uint8Array(rows.buffer), 0, rows.byteLength, headerBytes);
    const damaged = history.restore(rows, nowMs);
    if (damaged > 0) log.warn({ damaged }, 'damaged rows of the history left out');
  }
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

  add(atMs: number, figures: Figures): void {
    for (const index of this.#history.add(atMs, figures)) this.#changed.add(index);
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
        if (!this.#hasFailed) this.#log.error({ err: error, path: this.#path }, 'history of figures not written');
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#writing = undefined;
      });
  }
}

/** Opens the file; one of another layout is set aside, not deleted. */
async function openFile(path: string, log: Log): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  const existing = await open(path, 'r+').catch(() => undefined);
  if (existing) {
    const header = Buffer.alloc(headerBytes);
    await existing.read(header, 0, headerBytes, 0);
    if (header.toString('latin1') === headerText) return existing;
    await existing.close();
    await rename(path, `${path}.old`);
    log.warn({ kept: `${path}.old` }, 'history of another layout set aside');
  }
  const created = await open(`${path}.new`, 'w+', fileMode);
  // Written in full, so that a disk that fills up later still takes the rows.
  const empty = Buffer.alloc(fileBytes);
  empty.write(headerText, 'latin1');
  await created.write(empty, 0, fileBytes, 0);
  await created.sync();
  await rename(`${path}.new`, path);
  return created;
}
