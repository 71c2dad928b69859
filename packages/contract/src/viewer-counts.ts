// Counters and histograms of playback reports, per stream and output. The gateway counts; the control plane adds the counts and derives
// rates.
import {
  delaySteps,
  joinSteps,
  type OutputReport,
  stallMemorySeconds,
  type ViewerError,
  viewerErrors,
} from './values/viewers.ts';

/** A histogram of times. */
export interface StepCounts {
  /** Number of times per bucket; the last bucket is for times above the last bound. */
  readonly counts: number[];
  /** Sum of all times, seconds. */
  sum: number;
}

/** `reportedSeconds`: playback time for which bytes were reported. `lately…`: only viewers that stalled recently. */
export const viewerCounters = [
  'reports',
  'latelyReports',
  'seconds',
  'stalls',
  'stalledSeconds',
  'bytes',
  'reportedSeconds',
  'latelyBytes',
  'latelyReportedSeconds',
  'frames',
  'droppedFrames',
  'moves',
] as const;
export type ViewerCounter = (typeof viewerCounters)[number];

export type ViewerCounts = Record<ViewerCounter, number> & {
  readonly errors: Record<ViewerError, number>;
  readonly joins: StepCounts;
  readonly delays: StepCounts;
};

/** Number of values when a `ViewerCounts` is stored as a row of numbers. */
export const viewerCountsWidth = viewerCounters.length + viewerErrors.length + joinSteps.length + delaySteps.length + 4;

export function noViewerCounts(): ViewerCounts {
  return fromRow(new Array<number>(viewerCountsWidth).fill(0));
}

/** A report counts as one viewer for the `seconds` in the report. */
export function countReport(into: ViewerCounts, report: OutputReport): void {
  const { seconds, bytes, stalledLately = false, delay, join, errors = {} } = report;
  into.reports += 1;
  into.seconds += seconds;
  into.stalls += report.stalls ?? 0;
  into.stalledSeconds += report.stalledSeconds ?? 0;
  into.frames += report.frames ?? 0;
  into.droppedFrames += report.droppedFrames ?? 0;
  into.moves += report.moves ?? 0;
  if (stalledLately) into.latelyReports += 1;
  if (bytes !== undefined) {
    into.bytes += bytes;
    into.reportedSeconds += seconds;
  }
  if (bytes !== undefined && stalledLately) {
    into.latelyBytes += bytes;
    into.latelyReportedSeconds += seconds;
  }
  if (delay !== undefined) countStep(into.delays, delay, delaySteps);
  if (join !== undefined) countStep(into.joins, join, joinSteps);
  for (const kind of viewerErrors) into.errors[kind] += errors[kind] ?? 0;
}

export function addViewerCounts(into: ViewerCounts, more: ViewerCounts): void {
  const added = toRow(more);
  assignRow(
    into,
    toRow(into).map((value, index) => value + added[index]!),
  );
}

/** Returns the difference to `before`. A decreased counter was reset; then `now` is returned. */
export function viewerCountsSince(now: ViewerCounts, before: ViewerCounts | undefined): ViewerCounts {
  if (!before) return fromRow(toRow(now));
  const [newer, older] = [toRow(now), toRow(before)];
  const hasBegunAnew = newer.some((value, index) => value < older[index]!);
  return fromRow(hasBegunAnew ? newer : newer.map((value, index) => value - older[index]!));
}

export function toRow({ errors, joins, delays, ...counters }: ViewerCounts): number[] {
  return [
    ...viewerCounters.map((name) => counters[name]),
    ...viewerErrors.map((kind) => errors[kind]),
    ...joins.counts,
    joins.sum,
    ...delays.counts,
    delays.sum,
  ];
}

/** @param row in the format of `toRow`; missing values are 0. */
export function fromRow(row: ArrayLike<number>): ViewerCounts {
  let at = 0;
  const next = () => row[at++] ?? 0;
  const counters = Object.fromEntries(viewerCounters.map((name) => [name, next()])) as Record<ViewerCounter, number>;
  const errors = Object.fromEntries(viewerErrors.map((kind) => [kind, next()])) as Record<ViewerError, number>;
  const steps = (edges: readonly number[]): StepCounts => {
    const counts = Array.from({ length: edges.length + 1 }, next);
    return { counts, sum: next() };
  };
  return { ...counters, errors, joins: steps(joinSteps), delays: steps(delaySteps) };
}

function assignRow(into: ViewerCounts, row: readonly number[]): void {
  const { errors, joins, delays, ...counters } = fromRow(row);
  Object.assign(into, counters);
  Object.assign(into.errors, errors);
  for (const [old, fresh] of [
    [into.joins, joins],
    [into.delays, delays],
  ] as const) {
    old.counts.splice(0, old.counts.length, ...fresh.counts);
    old.sum = fresh.sum;
  }
}

function countStep(steps: StepCounts, seconds: number, edges: readonly number[]): void {
  const step = edges.findIndex((edge) => seconds <= edge);
  steps.counts[step < 0 ? edges.length : step]! += 1;
  steps.sum += seconds;
}

/**
 * Returns the time, seconds, that the given share of all times does not exceed. Interpolates linearly within a bucket. Times above the last
 * bound count as the last bound. Undefined without times.
 */
export function quantile({ counts }: StepCounts, edges: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let left = share * total;
  for (const [step, edge] of edges.entries()) {
    const count = counts[step] ?? 0;
    const from = step === 0 ? 0 : edges[step - 1]!;
    if (count > 0 && left <= count) return from + (edge - from) * Math.max(0, left / count);
    left -= count;
  }
  return edges.at(-1);
}

/** Statistics of viewers in a period. Null: no player reported the value. */
export interface ViewerMetrics {
  /** Mean number of viewers whose players reported. */
  readonly viewers: number;
  readonly joinP50: number | null;
  readonly joinP95: number | null;
  /** Share of viewers that stalled recently, 0 to 1. */
  readonly stalledShare: number | null;
  readonly stallsPerHour: number | null;
  /** Mean bitrates of all viewers and of recently stalled viewers, bits per second. */
  readonly receivedBps: number | null;
  readonly stalledReceivedBps: number | null;
  readonly delayP50: number | null;
  readonly delayP95: number | null;
  readonly droppedShare: number | null;
}

const bitsPerByte = 8;
const secondsPerHour = 3_600;

/** @param seconds duration that the counts cover. */
export function toViewerMetrics(counts: ViewerCounts, seconds: number): ViewerMetrics {
  const per = (value: number, whole: number) => (whole > 0 ? value / whole : null);
  const rate = (bytes: number, covered: number) => (covered > 0 ? (bytes * bitsPerByte) / covered : null);
  return {
    viewers: counts.seconds / seconds,
    joinP50: quantile(counts.joins, joinSteps, 0.5) ?? null,
    joinP95: quantile(counts.joins, joinSteps, 0.95) ?? null,
    stalledShare: per(counts.latelyReports, counts.reports),
    stallsPerHour: per(counts.stalls * secondsPerHour, counts.seconds),
    receivedBps: rate(counts.bytes, counts.reportedSeconds),
    stalledReceivedBps: rate(counts.latelyBytes, counts.latelyReportedSeconds),
    delayP50: quantile(counts.delays, delaySteps, 0.5) ?? null,
    delayP95: quantile(counts.delays, delaySteps, 0.95) ?? null,
    droppedShare: per(counts.droppedFrames, counts.frames),
  };
}

/** Period for statistics of viewers, seconds. Equal to the time for which a stall counts as recent. */
export const viewerWindowSeconds = stallMemorySeconds;
