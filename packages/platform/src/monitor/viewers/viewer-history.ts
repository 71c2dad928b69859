// Playback quality by stream and output: counts per interval at four resolutions, with limits. `viewer-history-files.ts` stores the
// intervals on disk.
import {
  type MonitorRange,
  maxViewerRows,
  monitorRanges,
  type StreamViewers,
  type ViewersHistory,
} from '@srs-stack/contract';
import { type ViewerOutput, viewerOutputs } from '@srs-stack/contract/values/viewers.ts';
import {
  addViewerCounts,
  fromRow,
  noViewerCounts,
  toRow,
  toViewerMetrics,
  type ViewerCounts,
  type ViewerMetrics,
  viewerWindowSeconds,
} from '@srs-stack/contract/viewer-counts.ts';
import { type ViewedName, type ViewedOutput, type ViewerStep, viewerTiers } from './viewer-history-layout.ts';

/** Maximum number of histories, one per stream and output, up to 140 KB each. Above this, the least recently watched history is dropped. */
export const maxKeptViewers = 150;

/** Stores intervals on disk. */
export interface ViewerHistoryKeeper {
  keep(of: ViewedOutput, step: ViewerStep): void;
  forget(of: ViewedOutput): void;
}

/** Counts since the control plane started. */
export interface ViewerTotal extends ViewedOutput {
  readonly counts: ViewerCounts;
}

interface Kept extends ViewerTotal {
  readonly steps: Readonly<Record<MonitorRange, Map<number, Float64Array>>>;
}

const everyStream: ViewedName = { app: '', stream: '' };

export class ViewerHistory {
  /** Least recently watched first. */
  readonly #kept = new Map<string, Kept>();
  readonly #together = new Map<ViewerOutput, Kept>();
  readonly #keeper: ViewerHistoryKeeper | undefined;

  /** @param keeper called with each changed interval; without it, intervals are not stored on disk. */
  constructor(keeper?: ViewerHistoryKeeper) {
    this.#keeper = keeper;
  }

  add(atMs: number, { app, stream, output }: ViewedOutput, counts: ViewerCounts): void {
    if (counts.reports === 0) return;
    const key = keyOf({ app, stream, output });
    const kept = this.#kept.get(key) ?? newKept({ app, stream }, output);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const together = this.#together.get(output) ?? newKept(everyStream, output);
    this.#together.set(output, together);
    for (const each of [kept, together]) {
      for (const step of addTo(each, atMs, counts)) this.#keeper?.keep(each, step);
    }
    this.#forgetOldest();
  }

  /** Loads intervals of an earlier process, except expired and future intervals. Load the least recently watched stream first. */
  restore(of: ViewedOutput, stored: readonly ViewerStep[], nowMs: number): void {
    const kept = newKept(of, of.output);
    for (const { range, number, counts } of stored) {
      const { stepMs, steps } = viewerTiers[range];
      const newest = Math.floor(nowMs / stepMs);
      if (number <= newest && number >= newest - steps) kept.steps[range].set(number, counts);
    }
    if (monitorRanges.every((range) => kept.steps[range].size === 0)) this.#keeper?.forget(of);
    else if (of.app === everyStream.app && of.stream === everyStream.stream) this.#together.set(of.output, kept);
    else this.#kept.set(keyOf(of), kept);
    this.#forgetOldest();
  }

  /** Intervals of one stream; without `name`, the sum of all streams. Omits the unfinished interval. */
  read(range: MonitorRange, nowMs: number, name?: ViewedName): Omit<ViewersHistory, 'viewerReports'> {
    const { stepMs, steps } = viewerTiers[range];
    const last = Math.floor(nowMs / stepMs) - 1;
    const numbers = Array.from({ length: steps }, (_, index) => last - steps + 1 + index);
    const rows = name ? this.#of(name) : [...this.#together.values()];
    const outputs = rows
      .map(({ output, steps: of }) => ({ output, row: numbers.map((number) => of[range].get(number)) }))
      .filter(({ row }) => row.some(Boolean))
      .sort((a, b) => viewerOutputs.indexOf(a.output) - viewerOutputs.indexOf(b.output))
      .map(({ output, row }) => ({ output, ...toColumns(row, stepMs / 1000) }));
    const timesMs = numbers.map((number) => number * stepMs);
    const [fromMs, toMs] = [timesMs[0]!, (last + 1) * stepMs];
    return { range, fromMs, toMs, stepMs, timesMs, outputs, streams: this.#streams(range, numbers[0]!, nowMs) };
  }

  /** Quality in the last minute over all outputs; undefined without reports. */
  lately(name: ViewedName, nowMs: number): StreamViewers | undefined {
    const { stepMs } = viewerTiers['5m'];
    const first = Math.floor((nowMs - viewerWindowSeconds * 1000) / stepMs) + 1;
    const sum = noViewerCounts();
    for (const { steps } of this.#of(name)) addSteps(sum, steps['5m'], first);
    const seconds = Math.max(1, (nowMs - first * stepMs) / 1000);
    return sum.reports > 0 ? rounded(toViewerMetrics(sum, seconds)) : undefined;
  }

  totals(): ViewerTotal[] {
    return [...this.#kept.values()].filter(({ counts }) => counts.reports > 0);
  }

  #of({ app, stream }: ViewedName): Kept[] {
    return viewerOutputs.flatMap((output) => this.#kept.get(keyOf({ app, stream, output })) ?? []);
  }

  #forgetOldest(): void {
    const [oldest] = this.#kept;
    if (this.#kept.size <= maxKeptViewers || oldest === undefined) return;
    this.#kept.delete(oldest[0]);
    this.#keeper?.forget(oldest[1]);
  }

  #streams(range: MonitorRange, first: number, nowMs: number): ViewersHistory['streams'] {
    const { stepMs } = viewerTiers[range];
    const seconds = Math.max(1, (nowMs - first * stepMs) / 1000);
    return [...this.#kept.values()]
      .map(({ app, stream, output, steps }) => {
        const counts = noViewerCounts();
        addSteps(counts, steps[range], first);
        return { app, stream, output, counts };
      })
      .filter(({ counts }) => counts.reports > 0)
      .sort((a, b) => b.counts.seconds - a.counts.seconds)
      .slice(0, maxViewerRows)
      .map(({ counts, ...row }) => ({ ...row, figures: rounded(toViewerMetrics(counts, seconds)) }));
  }
}

function keyOf({ app, stream, output }: ViewedOutput): string {
  return `${app}/${stream} ${output}`;
}

function newKept({ app, stream }: ViewedName, output: ViewerOutput): Kept {
  const steps = Object.fromEntries(monitorRanges.map((range) => [range, new Map()])) as Kept['steps'];
  return { app, stream, output, counts: noViewerCounts(), steps };
}

function addTo({ counts: total, steps }: Kept, atMs: number, counts: ViewerCounts): ViewerStep[] {
  addViewerCounts(total, counts);
  const added = toRow(counts);
  return monitorRanges.map((range) => {
    const { stepMs, steps: kept } = viewerTiers[range];
    const number = Math.floor(atMs / stepMs);
    const rows = steps[range];
    const row = rows.get(number) ?? new Float64Array(added.length);
    for (const [index, value] of added.entries()) row[index]! += value;
    rows.set(number, row);
    // Keeps the displayed intervals and the unfinished one. Removes future intervals after the clock was set back.
    for (const old of rows.keys()) if (old < number - kept || old > number) rows.delete(old);
    return { range, number, counts: row };
  });
}

function addSteps(sum: ViewerCounts, rows: ReadonlyMap<number, Float64Array>, first: number): void {
  for (const [number, row] of rows) if (number >= first) addViewerCounts(sum, fromRow(row));
}

type Columns = Omit<ViewersHistory['outputs'][number], 'output'>;
const columnNames = [
  'viewers',
  'joinP50',
  'joinP95',
  'stalledShare',
  'stallsPerHour',
  'receivedBps',
  'delayP50',
] as const satisfies readonly (keyof Columns)[];

function toColumns(rows: readonly (Float64Array | undefined)[], seconds: number): Columns {
  const metrics = rows.map((row) => row && rounded(toViewerMetrics(fromRow(row), seconds)));
  return Object.fromEntries(columnNames.map((name) => [name, metrics.map((each) => each?.[name] ?? null)])) as Columns;
}

/** Rounds to four significant digits. Charts show fewer digits. */
function rounded(metrics: ViewerMetrics): ViewerMetrics {
  const entries = Object.entries(metrics).map(([name, value]) => [
    name,
    value === null ? null : Number(value.toPrecision(4)),
  ]);
  return Object.fromEntries(entries) as ViewerMetrics;
}
