// The folder of rewind windows: `rewind/{app}/{stream}/` with a hard link of each segment and the images of the seek bar. A name contains
// all data for a playlist, so that the folder is complete without other state and survives a killed server. Pure.
import { join } from 'node:path';

/** Name of the folder in the data folder. */
export const rewindFolderName = 'rewind';

export interface RewindSegment {
  /** Sequence number in the playlist of the window; continues after restarts. */
  readonly sequence: number;
  /**
   * Number of discontinuities before the frames of this segment. A higher number than in the previous segment means a discontinuity between
   * the two.
   */
  readonly discontinuity: number;
  /** Time of the first frame of the segment, milliseconds since 1970. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly sizeBytes: number;
}

/** Folder of a stream. App and stream are valid names (`contract/stream-name.ts`), so the path cannot leave the folder. */
export function rewindFolderOf(root: string, { app, stream }: { app: string; stream: string }): string {
  return join(root, app, stream);
}

const segmentPattern = /^(\d{1,12})-(\d{1,9})-(\d{13})-(\d{1,7})-(\d{1,12})\.ts$/;
const imagePattern = /^(\d{13})\.jpg$/;

export function writeRewindSegmentName(segment: RewindSegment): string {
  const { sequence, discontinuity, startMs, durationMs, sizeBytes } = segment;
  return `${sequence}-${discontinuity}-${String(startMs).padStart(13, '0')}-${durationMs}-${sizeBytes}.ts`;
}

/** Undefined for a file that is not a segment of a window. */
export function parseRewindSegmentName(fileName: string): RewindSegment | undefined {
  const match = segmentPattern.exec(fileName);
  if (match === null) return undefined;
  const [sequence = 0, discontinuity = 0, startMs = 0, durationMs = 0, sizeBytes = 0] = match.slice(1).map(Number);
  return { sequence, discontinuity, startMs, durationMs, sizeBytes };
}

/** Name of the image at the start of the segment with this start time. */
export function writeRewindImageName(startMs: number): string {
  return `${String(startMs).padStart(13, '0')}.jpg`;
}

/** Milliseconds since 1970; undefined for a file that is not an image of a window. */
export function parseRewindImageName(fileName: string): number | undefined {
  const match = imagePattern.exec(fileName);
  return match === null ? undefined : Number(match[1]);
}

/** Segments that overlap `fromMs` to `toMs` (exclusive), in order. A segment ends at the latest at the start of the next one. */
export function segmentsBetween(
  segments: readonly RewindSegment[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): RewindSegment[] {
  return segments.filter(({ startMs, durationMs }, index) => {
    const endMs = Math.min(startMs + durationMs, segments[index + 1]?.startMs ?? Number.POSITIVE_INFINITY);
    return startMs < toMs && endMs > fromMs;
  });
}

/** The segments among the names of a folder, in the order of the playlist. */
export function toRewindSegments(fileNames: readonly string[]): RewindSegment[] {
  const segments = fileNames.map(parseRewindSegmentName).filter((segment) => segment !== undefined);
  return segments.sort((a, b) => a.sequence - b.sequence);
}
