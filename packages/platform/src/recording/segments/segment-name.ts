// Names of recorded segments: `{run}-{sequence}-{duration ms}-{mark}[d].ts`. A name contains all data for a playlist, so that a folder is
// readable without a database. Pure.
import { createHash } from 'node:crypto';

export interface RecordedSegment {
  /** How often the media server restarted its numbering within one recording. */
  readonly run: number;
  readonly sequence: number;
  readonly durationMs: number;
  /** Hash of the URL or the path of the live segment; identifies repeated reports of a segment. */
  readonly mark: string;
  /** True if times or configuration do not continue the previous segment. */
  readonly isDiscontinuous: boolean;
}

const pattern = /^(\d{3,})-(\d{6,})-(\d{1,9})-([0-9a-f]{12})(d?)\.ts$/;

export function writeSegmentName({ run, sequence, durationMs, mark, isDiscontinuous }: RecordedSegment): string {
  const place = `${String(run).padStart(3, '0')}-${String(sequence).padStart(6, '0')}`;
  return `${place}-${durationMs}-${mark}${isDiscontinuous ? 'd' : ''}.ts`;
}

/** Undefined for a file that is not a segment of this product. */
export function parseSegmentName(fileName: string): RecordedSegment | undefined {
  const match = pattern.exec(fileName);
  if (match === null) return undefined;
  const [run, sequence, durationMs] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return { run, sequence, durationMs, mark: match[4] ?? '', isDiscontinuous: match[5] === 'd' };
}

export function segmentMark(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 12);
}

export function compareSegments(a: RecordedSegment, b: RecordedSegment): number {
  return a.run - b.run || a.sequence - b.sequence;
}

/** True for a gap or discontinuity between two neighbours. */
export function isBreak(before: RecordedSegment, after: RecordedSegment): boolean {
  return after.isDiscontinuous || after.run !== before.run || after.sequence !== before.sequence + 1;
}

/**
 * The run of a new segment. A number that follows or fills a gap belongs to the current run. Any other number starts a new run, because the
 * media server restarted its numbering. Undefined for an existing segment.
 */
export function runOf(
  segments: readonly RecordedSegment[],
  { sequence, mark }: { sequence: number; mark: string },
): number | undefined {
  if (segments.some((each) => each.mark === mark)) return undefined;
  const last = segments.at(-1);
  if (last === undefined) return 0;
  if (sequence > last.sequence) return last.run;
  const current = segments.filter(({ run }) => run === last.run);
  const isHole = sequence > (current[0]?.sequence ?? 0) && !current.some((each) => each.sequence === sequence);
  return isHole ? last.run : last.run + 1;
}
