// File names in the folders of rewind windows. `rewind/{app}/{stream}/` contains a hard link or copy of each segment, and the images of the
// seek bar. The names contain all data for a playlist, so the folder survives a killed server without other state. Pure.
import { join } from 'node:path';

export const rewindFolderName = 'rewind';

export interface RewindSegment {
  /** Sequence number in the playlist of the window. It continues after a restart. */
  readonly sequence: number;
  /**
   * Number of discontinuities before this segment. If the number is higher than in the previous segment, there is a discontinuity between
   * the two.
   */
  readonly discontinuity: number;
  /** Time of the first frame of the segment, milliseconds since 1970. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly sizeBytes: number;
}

/** Folder of a stream. App and stream are valid names (`contract/stream-name.ts`), so the path stays inside `root`. */
export function rewindFolderOf(root: string, { app, stream }: { app: string; stream: string }): string {
  return join(root, app, stream);
}

const segmentPattern = /^(\d{1,12})-(\d{1,9})-(\d{13})-(\d{1,7})-(\d{1,12})\.ts$/;
const imagePattern = /^(\d{13})\.jpg$/;

export function writeRewindSegmentName(segment: RewindSegment): string {
  const { sequence, discontinuity, startMs, durationMs, sizeBytes } = segment;
  return `${sequence}-${discontinuity}-${String(startMs).padStart(13, '0')}-${durationMs}-${sizeBytes}.ts`;
}

/** Parses the name of a segment; undefined for any other file. */
export function parseRewindSegmentName(fileName: string): RewindSegment | undefined {
  const match = segmentPattern.exec(fileName);
  if (match === null) return undefined;
  const [sequence = 0, discontinuity = 0, startMs = 0, durationMs = 0, sizeBytes = 0] = match.slice(1).map(Number);
  return { sequence, discontinuity, startMs, durationMs, sizeBytes };
}

/** Name of the image for the segment with this start time. */
export function writeRewindImageName(startMs: number): string {
  return `${String(startMs).padStart(13, '0')}.jpg`;
}

/** Start time of an image, milliseconds since 1970; undefined for any other file. */
export function parseRewindImageName(fileName: string): number | undefined {
  const match = imagePattern.exec(fileName);
  return match === null ? undefined : Number(match[1]);
}

/** Segments that overlap the time from `fromMs` to `toMs` (exclusive), in order. A segment ends no later than the next segment starts. */
export function segmentsBetween(
  segments: readonly RewindSegment[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): RewindSegment[] {
  return segments.filter(({ startMs, durationMs }, index) => {
    const endMs = Math.min(startMs + durationMs, segments[index + 1]?.startMs ?? Number.POSITIVE_INFINITY);
    return startMs < toMs && endMs > fromMs;
  });
}

/** Returns the segments among the file names of a folder, in playlist order. */
export function toRewindSegments(fileNames: readonly string[]): RewindSegment[] {
  const segments = fileNames.map(parseRewindSegmentName).filter((segment) => segment !== undefined);
  return segments.sort((a, b) => a.sequence - b.sequence);
}
