// Layout of the history file: metrics, resolutions, and the position of each row.
import { type MonitorRange, monitorRanges, monitorSeries } from '@srs-stack/contract';

export interface HistoryTier {
  readonly range: MonitorRange;
  readonly stepMs: number;
  /** Number of rows; together they cover the range. */
  readonly rows: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Resolutions of the history. Every sample updates one row of each resolution. About 940 rows, 440 KB. */
export const historyTiers: readonly HistoryTier[] = [
  { range: '5m', stepMs: 5_000, rows: 60 },
  { range: '1h', stepMs: 20_000, rows: 180 },
  { range: '24h', stepMs: 4 * minuteMs, rows: 360 },
  { range: '7d', stepMs: hourMs / 2, rows: 336 },
];

export function tierOf(range: MonitorRange): HistoryTier {
  return historyTiers[monitorRanges.indexOf(range)]!;
}

/** Values per metric in a row: sum, count and maximum. */
export const valueWidth = 3;
/** Doubles per row: interval number since 1970, values, checksum. */
export const rowWidth = 1 + monitorSeries.length * valueWidth + 1;
export const rowBytes = rowWidth * Float64Array.BYTES_PER_ELEMENT;
export const rowCount = historyTiers.reduce((sum, { rows }) => sum + rows, 0);

/** Size of the file header, bytes. The header is a text padded with spaces, which identifies the layout. */
export const headerBytes = 1_024;
export const headerText = JSON.stringify({
  format: 'srs-stack metrics history',
  tiers: historyTiers.map(({ stepMs, rows }) => [stepMs, rows]),
  series: monitorSeries,
}).padEnd(headerBytes);

/** Index of the tier's first row among all rows. */
export function firstRowOf(tier: HistoryTier): number {
  return historyTiers.slice(0, historyTiers.indexOf(tier)).reduce((sum, { rows }) => sum + rows, 0);
}
