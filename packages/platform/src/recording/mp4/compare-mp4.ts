// Compares a finished MP4 with its segments. FFmpeg exits with 0 even if a track is missing or ends early.
import { probeMedia } from '../../workers/ffprobe.ts';
import type { RecordedSegment } from '../segments/segment-name.ts';
import { beginMsOf } from './remux-inputs.ts';
import { type RemuxPlan, type TrackKind, trackKinds } from './remux-plan.ts';

/** Tolerance of the start of a track, seconds, for reordered frames and rounded edit lists. Viewers notice larger differences. */
const startToleranceSeconds = 0.25;
/** Tolerance of the duration, seconds. A segment has the duration of one track; another track may end a few frames earlier. */
const durationToleranceSeconds = 2;
/** Additional tolerance of the duration, as a share of the duration. */
const durationToleranceShare = 0.01;

export interface ExpectedMp4 {
  /** Expected start of each track, seconds; undefined without the track. */
  readonly starts: { readonly [kind in TrackKind]: number | undefined };
  readonly durationSeconds: number;
}

export function expectedMp4(segments: readonly RecordedSegment[], plan: RemuxPlan): ExpectedMp4 {
  const durationMs = segments.reduce((sum, segment) => sum + segment.durationMs, 0);
  const beginMs = beginMsOf(plan);
  const startOf = (kind: TrackKind) => plan[kind] && (plan[kind].atMs - beginMs) / 1000;
  const isKnown = Number.isFinite(beginMs);
  return {
    starts: { video: startOf('video'), audio: startOf('audio') },
    durationSeconds: (durationMs - (isKnown ? beginMs : 0)) / 1000,
  };
}

/** Resolves with English descriptions of all differences. Never rejects. */
export async function compareMp4(path: string, expected: ExpectedMp4): Promise<string[]> {
  const found = await probeMedia({ file: path }).catch((error: Error) => error);
  // Reports a difference instead of an error: the MP4 may be good, e.g. if a busy disk delayed ffprobe.
  if (found instanceof Error) return [`the MP4 could not be compared with its segments: ${found.message}`];
  const { format, ...tracks } = found;
  const differences: string[] = [];
  for (const kind of trackKinds) {
    const start = expected.starts[kind];
    const track = tracks[kind];
    if (start === undefined) continue;
    if (track === null) differences.push(`the MP4 has no ${kind}`);
    else if (Math.abs(Number(track.start_time) - start) > startToleranceSeconds)
      differences.push(`${kind} of the MP4 begins at ${seconds(track.start_time)} instead of ${seconds(start)}`);
  }
  const tolerance = durationToleranceSeconds + expected.durationSeconds * durationToleranceShare;
  if (Math.abs(Number(format.duration) - expected.durationSeconds) > tolerance)
    differences.push(`the MP4 lasts ${seconds(format.duration)} instead of ${seconds(expected.durationSeconds)}`);
  return differences;
}

const seconds = (value: string | number): string => `${Number(value).toFixed(2)} s`;
