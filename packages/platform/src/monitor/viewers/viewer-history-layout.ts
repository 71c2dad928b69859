// Layout of the playback quality history: intervals of each range, and their positions in a file.
import { type MonitorRange, monitorRanges } from '@srs-stack/contract';
import { type ViewerOutput, viewerOutputs } from '@srs-stack/contract/values/viewers.ts';
import { viewerCountsWidth } from '@srs-stack/contract/viewer-counts.ts';

export interface ViewedName {
  readonly app: string;
  readonly stream: string;
}

export interface ViewedOutput extends ViewedName {
  readonly output: ViewerOutput;
}

/** Counts of one interval. */
export interface ViewerStep {
  readonly range: MonitorRange;
  /** Number of the interval since 1970. */
  readonly number: number;
  /** Counts in the order of `toRow`. */
  readonly counts: Float64Array;
}

/**
 * Length of an interval in milliseconds, and number of intervals. Players report every 10 s. Shorter intervals than 20 s would show a
 * fluctuating number of viewers.
 */
export const viewerTiers: Readonly<Record<MonitorRange, { readonly stepMs: number; readonly steps: number }>> = {
  '5m': { stepMs: 20_000, steps: 15 },
  '1h': { stepMs: 60_000, steps: 60 },
  '24h': { stepMs: 600_000, steps: 144 },
  '7d': { stepMs: 3_600_000, steps: 168 },
};

/** Number of stored intervals of a range: the displayed intervals and the unfinished interval. */
const rowsOf = (range: MonitorRange): number => viewerTiers[range].steps + 1;
/** Doubles per row: interval number, counts, checksum. */
export const viewerRowWidth = 1 + viewerCountsWidth + 1;
export const viewerRowCount = monitorRanges.reduce((sum, range) => sum + rowsOf(range), 0);

export const viewerHeaderBytes = 2_048;

/** The file header: a text padded with spaces, which identifies stream, output and layout. */
export function viewerHeader({ app, stream, output }: ViewedOutput): Buffer {
  const tiers = monitorRanges.map((range) => [viewerTiers[range].stepMs, viewerTiers[range].steps]);
  const text = JSON.stringify({
    format: 'srs-stack viewers history',
    tiers,
    width: viewerCountsWidth,
    app,
    stream,
    output,
  });
  const header = Buffer.alloc(viewerHeaderBytes, ' ');
  header.write(text);
  return header;
}

/** Stream and output of the file; undefined for another layout. */
export function readViewerHeader(header: Buffer): ViewedOutput | undefined {
  try {
    const { app, stream, output } = JSON.parse(header.toString('utf8')) as Record<keyof ViewedOutput, unknown>;
    const known = viewerOutputs.find((name) => name === output);
    if (typeof app !== 'string' || typeof stream !== 'string' || !known) return undefined;
    const of = { app, stream, output: known };
    return viewerHeader(of).equals(header) ? of : undefined;
  } catch {
    return undefined;
  }
}

/** Position of an interval in its file, where it replaces an expired interval. */
export function viewerRowIndex({ range, number }: Pick<ViewerStep, 'range' | 'number'>): number {
  return firstRowOf(range) + (number % rowsOf(range));
}

/** Returns the range of the row at this position. */
export function rangeOfViewerRow(index: number): MonitorRange {
  return monitorRanges.findLast((range) => index >= firstRowOf(range))!;
}

function firstRowOf(range: MonitorRange): number {
  return monitorRanges.slice(0, monitorRanges.indexOf(range)).reduce((sum, each) => sum + rowsOf(each), 0);
}
