// The history in memory: one ring buffer of rows per resolution. `history-file.ts` stores the bytes on disk.
import { crc32 } from 'node:zlib';
import { type MonitorHistory, type MonitorRange, type MonitorSeries, monitorSeries } from '@srs-stack/contract';
import {
  firstRowOf,
  type HistoryTier,
  historyTiers,
  rowCount,
  rowWidth,
  tierOf,
  valueWidth,
} from './history-layout.ts';

/** Metrics at one time. A metric that was not measured is absent and adds no point. */
export type MetricValues = Partial<Record<MonitorSeries, number>>;

/** Backward clock steps up to this size are corrections, milliseconds. A larger step means that the clock was set. */
const clockToleranceMs = 2_000;
/** Charts connect points across this many missing rows. A longer gap stays visible. */
const bridgedRows = 2;

export interface History {
  add(atMs: number, values: MetricValues): number[];
  read(range: MonitorRange, nowMs: number): Omit<MonitorHistory, 'events'>;
  row(index: number): Float64Array;
  /** Loads rows from a file, except damaged and future rows. Returns the number of damaged rows. */
  restore(rows: Float64Array, nowMs: number): number;
}

export function createHistory(): History {
  return new TieredHistory();
}

class TieredHistory implements History {
  readonly #cells = new Float64Array(rowCount * rowWidth);
  #newestMs = Number.NEGATIVE_INFINITY;

  add(atMs: number, values: MetricValues): number[] {
    const changed = atMs < this.#newestMs - clockToleranceMs ? this.#forgetAfter(atMs) : [];
    this.#newestMs = atMs;
    for (const tier of historyTiers) {
      const step = Math.floor(atMs / tier.stepMs);
      const index = this.#indexOf(tier, step);
      const row = this.row(index);
      if (row[0] !== step) row.fill(0)[0] = step;
      addValues(row, values);
      sealed(row);
      changed.push(index);
    }
    return changed;
  }

  read(range: MonitorRange, nowMs: number): Omit<MonitorHistory, 'events'> {
    const tier = tierOf(range);
    const last = Math.floor(nowMs / tier.stepMs);
    const rows: Float64Array[] = [];
    for (let step = last - tier.rows + 1; step <= last; step++) {
      const row = this.row(this.#indexOf(tier, step));
      if (row[0] === step && step > 0) rows.push(row);
    }
    const { stepMs } = tier;
    return { range, fromMs: nowMs - tier.rows * stepMs, toMs: nowMs, stepMs, ...toColumns(rows, stepMs) };
  }

  row(index: number): Float64Array {
    return this.#cells.subarray(index * rowWidth, (index + 1) * rowWidth);
  }

  restore(rows: Float64Array, nowMs: number): number {
    let damaged = 0;
    for (let index = 0; index < rowCount; index++) {
      const row = rows.subarray(index * rowWidth, (index + 1) * rowWidth);
      if (row[0] === 0) continue;
      if (row.length === rowWidth && row[rowWidth - 1] === checksumOf(row)) this.row(index).set(row);
      else damaged += 1;
    }
    this.#forgetAfter(nowMs);
    return damaged;
  }

  #indexOf(tier: HistoryTier, step: number) {
    return firstRowOf(tier) + (step % tier.rows);
  }

  /** Removes future rows after the clock was set back. Otherwise, charts would later show these rows as new. */
  #forgetAfter(nowMs: number): number[] {
    return historyTiers.flatMap((tier) => {
      const first = firstRowOf(tier);
      const indices = Array.from({ length: tier.rows }, (_, offset) => first + offset);
      const ahead = indices.filter((index) => this.row(index)[0]! > Math.floor(nowMs / tier.stepMs));
      for (const index of ahead) sealed(this.row(index).fill(0));
      return ahead;
    });
  }
}

function addValues(row: Float64Array, values: MetricValues): void {
  monitorSeries.forEach((name, position) => {
    const value = values[name];
    if (value === undefined || !Number.isFinite(value)) return;
    const at = 1 + position * valueWidth;
    const count = row[at + 1]!;
    row[at]! += value;
    row[at + 1] = count + 1;
    row[at + 2] = count === 0 ? value : Math.max(row[at + 2]!, value);
  });
}

function sealed(row: Float64Array): Float64Array {
  row[rowWidth - 1] = checksumOf(row);
  return row;
}

function checksumOf(row: Float64Array): number {
  return crc32(new Uint8Array(row.buffer, row.byteOffset, (rowWidth - 1) * Float64Array.BYTES_PER_ELEMENT));
}

type Columns = Pick<MonitorHistory, 'timesMs' | 'mean' | 'peak'>;

function toColumns(rows: readonly Float64Array[], stepMs: number): Columns {
  const points = withGaps(rows);
  const column = (take: (row: Float64Array, at: number) => number) =>
    Object.fromEntries(
      monitorSeries.map((name, position) => {
        const at = 1 + position * valueWidth;
        return [name, points.map(({ row }) => (row?.[at + 1] ? rounded(take(row, at)) : null))];
      }),
    ) as Columns['mean'];
  return {
    timesMs: points.map(({ step }) => step * stepMs),
    mean: column((row, at) => row[at]! / row[at + 1]!),
    peak: column((row, at) => row[at + 2]!),
  };
}

/** Adds one empty point where several rows are missing, so that the chart shows a gap. */
function withGaps(rows: readonly Float64Array[]): { step: number; row?: Float64Array }[] {
  return rows.flatMap((row, index) => {
    const step = row[0]!;
    const before = rows[index - 1]?.[0];
    const isGap = before !== undefined && step - before > bridgedRows + 1;
    return isGap ? [{ step: before + 1 }, { step, row }] : [{ step, row }];
  });
}

/** Rounds to six significant digits, to keep the response short. Charts show fewer digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
