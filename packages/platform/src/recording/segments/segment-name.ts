// Names of recorded segments. A name carries everything a playlist needs, so that a folder can be read back without any
// database: `{run}-{sequence}-{duration ms}-{mark}[d].ts`. Pure.
import { createHash } from 'node:crypto';

export interface RecordedSegment {
  /** Counts restarts of the media server's numbering within one recording. */
  readonly run: number;
  /** The media server's own number. */
  readonly sequence: number;
  readonly durationMs: number;
  /** Tells a segment that is reported twice: from the URL it had in the live playlist. */
  readonly mark: string;
  /** Times or configuration are others than those of the segment before. */
  readonly isDiscontinuous: boolean;
}

const pattern = /^(\d{3,})-(\d{6,})-(\d{1,9})-([0-9a-f]{12})(d?)\.ts$/;

export function writeSegmentName({ run, sequence, durationMs, mark, isDiscontinuous }: RecordedSegment): string {
  const place = `${String(run).padStart(3, '0')}-${String(sequence).padStart(6, '0')}`;
  return `${place}-${durationMs}-${mark}${isDiscontinuous ? 'd' : ''}.ts`;
}

/** Undefined for a file that is no segment of ours. */
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

/** True when something is missing or starts anew between two neighbours. */
export function isBreak(before: RecordedSegment, after: RecordedSegment): boolean {
  return after.isDiscontinuous || after.run !== before.run || after.sequence !== before.sequence + 1;
}

/**
 * Where a newly reported segment belongs: its run. A number that goes on, or fills a hole, stays in the current run; any
 * other one means that the media server started counting anew. Undefined for one that is there already.
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
