// The folder of rewind windows: `rewind/{app}/{stream}/` with a second name of each segment and the small pictures of the seek bar. A
// name carries everything a playlist needs, so that the folder alone is the window: a server that was killed goes on with it. Pure.
import { join } from 'node:path';

/** Below the data folder. */
export const rewindFolderName = 'rewind';

export interface RewindSegment {
  /** Number in the playlist of the window; goes on over restarts. */
  readonly sequence: number;
  /** How many discontinuities came before its frames; another one than that of its predecessor is a discontinuity. */
  readonly discontinuity: number;
  /** When its first frame was made, milliseconds since 1970. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly sizeBytes: number;
}

/** Below the folder of windows. App and stream are valid names (`contract/stream-name.ts`): no part leads elsewhere. */
export function rewindFolderOf(root: string, { app, stream }: { app: string; stream: string }): string {
  return join(root, app, stream);
}

const segmentPattern = /^(\d{1,12})-(\d{1,9})-(\d{13})-(\d{1,7})-(\d{1,12})\.ts$/;
const picturePattern = /^(\d{13})\.jpg$/;

export function writeRewindSegmentName(segment: RewindSegment): string {
  const { sequence, discontinuity, startMs, durationMs, sizeBytes } = segment;
  return `${sequence}-${discontinuity}-${String(startMs).padStart(13, '0')}-${durationMs}-${sizeBytes}.ts`;
}

/** Undefined for a file that is no segment of a window. */
export function parseRewindSegmentName(fileName: string): RewindSegment | undefined {
  const match = segmentPattern.exec(fileName);
  if (match === null) return undefined;
  const [sequence = 0, discontinuity = 0, startMs = 0, durationMs = 0, sizeBytes = 0] = match.slice(1).map(Number);
  return { sequence, discontinuity, startMs, durationMs, sizeBytes };
}

/** The picture at the beginning of the segment that begins then. */
export function writeRewindPictureName(startMs: number): string {
  return `${String(startMs).padStart(13, '0')}.jpg`;
}

/** Milliseconds since 1970; undefined for a file that is no picture of a window. */
export function parseRewindPictureName(fileName: string): number | undefined {
  const match = picturePattern.exec(fileName);
  return match === null ? undefined : Number(match[1]);
}

/** Those that overlap `fromMs` to `toMs` (exclusive), in their order. Each ends where the next begins, if that is earlier. */
export function segmentsBetween(
  segments: readonly RewindSegment[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): RewindSegment[] {
  return segments.filter(({ startMs, durationMs }, index) => {
    const endMs = Math.min(startMs + durationMs, segments[index + 1]?.startMs ?? Number.POSITIVE_INFINITY);
    return startMs < toMs && endMs > fromMs;
  });
}

/** Segments among the names of a folder, in the order of the playlist. */
export function toRewindSegments(fileNames: readonly string[]): RewindSegment[] {
  const segments = fileNames.map(parseRewindSegmentName).filter((segment) => segment !== undefined);
  return segments.sort((a, b) => a.sequence - b.sequence);
}
