// Stores playback quality in a file of fixed size per stream and output. A changed interval is overwritten in place, with a checksum. A
// killed process loses at most the intervals that it was writing.
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Log } from '@srs-stack/process/log.ts';
import {
  rangeOfViewerRow,
  readViewerHeader,
  type ViewedOutput,
  type ViewerStep,
  viewerHeader,
  viewerHeaderBytes,
  viewerRowCount,
  viewerRowIndex,
  viewerRowWidth,
} from './viewer-history-layout.ts';

const rowBytes = viewerRowWidth * Float64Array.BYTES_PER_ELEMENT;
const fileBytes = viewerHeaderBytes + viewerRowCount * rowBytes;
const fileMode = 0o600;
const ownFile = /^[0-9a-f]{32}\.bin$/;

/** Intervals of one stream and output, as read from disk. */
export interface StoredViewers {
  readonly of: ViewedOutput;
  readonly steps: readonly ViewerStep[];
}

interface Changed {
  readonly of: ViewedOutput;
  /** Changed intervals, keyed by position in the file. */
  readonly rows: Map<number, ViewerStep>;
}

export class ViewerHistoryFiles {
  readonly #folder: string;
  readonly #log: Log;
  readonly #changed = new Map<string, Changed>();
  readonly #forgotten = new Set<string>();
  #writing: Promise<void> | undefined;
  #hasFailed = false;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Reads files up to a limit. Removes further files and files of another layout. Never rejects. */
  async read(most: number): Promise<StoredViewers[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => ownFile.test(name));
    const found: StoredViewers[] = [];
    for (const name of await this.#newestFirst(names)) {
      const stored = found.length < most ? await this.#readFile(name) : undefined;
      if (stored) found.push(stored);
      else await rm(join(this.#folder, name), { force: true }).catch(() => undefined);
    }
    return found;
  }

  /** Returns immediately. Writes run in sequence. */
  keep(of: ViewedOutput, step: ViewerStep): void {
    const name = fileNameOf(of);
    const changed = this.#changed.get(name) ?? { of, rows: new Map() };
    changed.rows.set(viewerRowIndex(step), step);
    this.#changed.set(name, changed);
    this.#writeSoon();
  }

  forget(of: ViewedOutput): void {
    const name = fileNameOf(of);
    this.#changed.delete(name);
    this.#forgotten.add(name);
    this.#writeSoon();
  }

  /** Resolves when all data is written or writing has failed. */
  async close(): Promise<void> {
    await this.#writing;
    this.#writeSoon();
    await this.#writing;
  }

  #writeSoon(): void {
    this.#writing ??= this.#writeAll()
      .catch((error) => {
        if (!this.#hasFailed)
          this.#log.error({ err: error, path: this.#folder }, 'playback quality history could not be written');
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#writing = undefined;
      });
  }

  async #writeAll(): Promise<void> {
    for (const name of this.#forgotten) {
      this.#forgotten.delete(name);
      await rm(join(this.#folder, name), { force: true });
    }
    for (const [name, { of, rows }] of this.#changed) {
      this.#changed.delete(name);
      const file = await this.#openFile(join(this.#folder, name), of);
      try {
        for (const [index, step] of rows)
          await file.write(bytesOf(step), 0, rowBytes, viewerHeaderBytes + index * rowBytes);
      } finally {
        await file.close();
      }
    }
    this.#hasFailed = false;
  }

  async #openFile(path: string, of: ViewedOutput): Promise<FileHandle> {
    const there = await open(path, 'r+').catch(() => undefined);
    if (there) return there;
    await mkdir(this.#folder, { recursive: true });
    const file = await open(path, 'w+', fileMode);
    await file.write(viewerHeader(of), 0, viewerHeaderBytes, 0);
    await file.truncate(fileBytes);
    return file;
  }

  async #newestFirst(names: readonly string[]): Promise<string[]> {
    const dated = await Promise.all(
      names.map(async (name) => ({
        name,
        atMs: (await stat(join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    return dated.sort((a, b) => b.atMs - a.atMs).map(({ name }) => name);
  }

  async #readFile(name: string): Promise<StoredViewers | undefined> {
    const bytes = await readFile(join(this.#folder, name)).catch(() => undefined);
    const of = bytes?.length === fileBytes ? readViewerHeader(bytes.subarray(0, viewerHeaderBytes)) : undefined;
    if (!bytes || !of || fileNameOf(of) !== name) {
      this.#log.warn({ file: name }, 'playback quality history file has an unsupported layout and was removed');
      return undefined;
    }
    const rows = new Float64Array(new Uint8Array(bytes.subarray(viewerHeaderBytes)).buffer);
    const steps = Array.from({ length: viewerRowCount }, (_, index) => stepAt(rows, index));
    return { of, steps: steps.filter((step) => step !== undefined) };
  }
}

/** Returns undefined for an empty or incomplete row. */
function stepAt(rows: Float64Array, index: number): ViewerStep | undefined {
  const row = rows.subarray(index * viewerRowWidth, (index + 1) * viewerRowWidth);
  const number = row[0]!;
  if (!Number.isInteger(number) || number <= 0 || row[viewerRowWidth - 1] !== checksumOf(row)) return undefined;
  const step = { range: rangeOfViewerRow(index), number, counts: row.slice(1, -1) };
  return viewerRowIndex(step) === index ? step : undefined;
}

function bytesOf({ number, counts }: ViewerStep): Uint8Array {
  const row = new Float64Array(viewerRowWidth);
  row[0] = number;
  row.set(counts, 1);
  row[viewerRowWidth - 1] = checksumOf(row);
  return new Uint8Array(row.buffer);
}

function checksumOf(row: Float64Array): number {
  return crc32(new Uint8Array(row.buffer, row.byteOffset, (viewerRowWidth - 1) * Float64Array.BYTES_PER_ELEMENT));
}

/** A digest, because stream names are not valid file names on every system. */
function fileNameOf({ app, stream, output }: ViewedOutput): string {
  return `${createHash('sha256')
    .update(JSON.stringify([app, stream, output]))
    .digest('hex')
    .slice(0, 32)}.bin`;
}
