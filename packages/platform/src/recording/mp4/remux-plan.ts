// What FFmpeg is told of a recording in which something changes: runs of segments whose times go on, where each kind of track
// begins, and whether one configuration serves the whole file. Pure.
import { changesOf, joinMedia, type SegmentMedia, timesContinue, trackOf } from '../segments/segment-media.ts';
import { isBreak, type RecordedSegment } from '../segments/segment-name.ts';

/** `media` is known of the first segment and of both sides of every break. */
export interface ProbedSegment<Segment extends RecordedSegment = RecordedSegment> {
  readonly segment: Segment;
  readonly media: SegmentMedia | undefined;
}

interface TrackPlan {
  readonly type: string;
  /** True when its configuration changes in the middle. */
  readonly changes: boolean;
  /** Where it begins. */
  readonly from: Place;
}

interface Place {
  /** Number of a segment. */
  readonly index: number;
  /** Kinds of its tracks as they are announced: FFmpeg joins stretches by the place of a track, not by its kind. */
  readonly order: string;
}

export interface RemuxPlan {
  readonly video: TrackPlan | undefined;
  readonly audio: TrackPlan | undefined;
  /** Where times begin anew. */
  readonly jumps: readonly Place[];
}

/** Numbers of the segments to look into. */
export function segmentsToProbe(segments: readonly RecordedSegment[]): number[] {
  const wanted = segments.flatMap((segment, index) => {
    const before = segments[index - 1];
    if (before === undefined) return [index];
    return isBreak(before, segment) ? [index - 1, index] : [];
  });
  return [...new Set(wanted)];
}

export function planRemux(segments: readonly ProbedSegment[]): RemuxPlan {
  const tracks: { video?: TrackPlan; audio?: TrackPlan } = {};
  const jumps: Place[] = [];
  let known: SegmentMedia | undefined;
  segments.forEach(({ segment, media }, index) => {
    const before = segments[index - 1];
    const place = { index, order: media ? orderOf(media) : '' };
    if (before && isBreak(before.segment, segment) && !goesOn(before, media)) jumps.push(place);
    if (media === undefined) return;
    const changed = known === undefined ? [] : changesOf(known, media);
    for (const kind of ['video', 'audio'] as const) {
      const type = trackOf(media, kind)?.type;
      const track = tracks[kind];
      if (track === undefined) {
        if (type !== undefined) tracks[kind] = { type, changes: false, from: place };
      } else if (changed.includes(kind)) tracks[kind] = { ...track, changes: true };
    }
    known = joinMedia(known, media);
  });
  return { video: tracks.video, audio: tracks.audio, jumps };
}

/** As in `Place`. */
export function orderOf({ tracks }: SegmentMedia): string {
  return tracks.map(({ kind }) => kind).join();
}

function goesOn(before: ProbedSegment, media: SegmentMedia | undefined): boolean {
  if (before.media?.startTicks === undefined || media?.startTicks === undefined) return false;
  return timesContinue(before.media, before.segment.durationMs, media);
}
