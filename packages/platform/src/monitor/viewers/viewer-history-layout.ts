// The shape of what is kept of viewers over time: the steps of each range, and where each of them lies in the file of a stream and output. Pure.
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

/** Counts of one step of time. */
export interface ViewerStep {
  readonly range: MonitorRange;
  /** Of steps of this length since 1970. */
  readonly number: number;
  /** As `toRow` of the counts writes it. */
  readonly counts: Float64Array;
}

/** Time of a step, milliseconds, and steps kept. Players report each 10 s: in a shorter step than 20 s their number would flicker. */
export const viewerTiers: Readonly<Record<MonitorRange, { readonly stepMs: number; readonly steps: number }>> = {
  '5m': { stepMs: 20_000, steps: 15 },
  '1h': { stepMs: 60_000, steps: 60 },
  '24h': { stepMs: 600_000, steps: 144 },
  '7d': { stepMs: 3_600_000, steps: 168 },
};

/** One more than is shown: the step that is not over. */
const rowsOf = (range: MonitorRange): number => viewerTiers[range].steps + 1;
/** A row is the number of its step, its counts and a checksum; all are doubles. */
export const viewerRowWidth = 1 + viewerCountsWidth + 1;
export const viewerRowCount = monitorRanges.reduce((sum, range) => sum + rowsOf(range), 0);

/** Bytes before the rows. */
export const viewerHeaderBytes = 2_048;

/** Begins the file of a stream and output, padded with blanks: one of another layout is not misread. */
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

/** Whose file it is; undefined when it has another layout. */
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

/** Place of a step among the rows of its file; the step that comes when all others have gone takes it. */
export function viewerRowIndex({ range, number }: Pick<ViewerStep, 'range' | 'number'>): number {
  return firstRowOf(range) + (number % rowsOf(range));
}

/** Of which range the row in that place is. */
export function rangeOfViewerRow(index: number): MonitorRange {
  return monitorRanges.findLast((range) => index >= firstRowOf(range))!;
}

function firstRowOf(range: MonitorRange): number {
  return monitorRanges.slice(0, monitorRanges.indexOf(range)).reduce((sum, each) => sum + rowsOf(each), 0);
}
