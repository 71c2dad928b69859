// Names of recorded segments. A name contains all data for a playlist, so that a folder can be read without a database:
// `{run}-{sequence}-{duration ms}-{mark}[d].ts`. Pure.
import { createHash } from 'node:crypto';

export interface RecordedSegment {
  /** Number of restarts of the media server's numbering within one recording. */
  readonly run: number;
  /** Segment number of the media server. */
  readonly sequence: number;
  readonly durationMs: number;
  /** Derived from the URL in the live playlist; identifies a segment that is reported twice. */
  readonly mark: string;
  /** Times or configuration are discontinuous with the previous segment. */
  readonly isDiscontinuous: boolean;
}

const pattern = /^(\d{3,})-(\d{6,})-(\d{1,9})-([0-9a-f]{12})(d?)\.ts$/;

export function writeSegmentName({ run, sequence, durationMs, mark, isDiscontinuous }: RecordedSegment): string {
  const place = `${String(run).padStart(3, '0')}-${String(sequence).padStart(6, '0')}`;
  return `${place}-${durationMs}-${mark}${isDiscontinuous ? 'd' : ''}.ts`;
}

/** Parses a file name; undefined for a file that is not a segment of this product. */
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
 * The run of a new segment. A number that continues or fills a gap stays in the current run; any other number means that the media server
 * restarted its numbering. Undefined for an existing segment.
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
