// Plans the remux of a recording: runs of segments with continuous times, and the first frame of each track. Also finds changes of the
// codec configuration. Pure.
import {
  changesOf,
  firstTicksOf,
  joinMedia,
  type SegmentMedia,
  type SegmentTrack,
  ticksPerSecond,
  timesContinue,
  timestampModulus,
  trackOf,
} from '../segments/segment-media.ts';
import { isBreak, type RecordedSegment } from '../segments/segment-name.ts';

/** `media` is known for the first and last segment, on both sides of every break, and where new tracks were searched. */
export interface ProbedSegment<Segment extends RecordedSegment = RecordedSegment> {
  readonly segment: Segment;
  readonly media: SegmentMedia | undefined;
}

export type TrackKind = SegmentTrack['kind'];
export const trackKinds = ['video', 'audio'] as const;

interface AnnouncedTrack {
  readonly type: string;
  /** Whether the configuration changes after `from`. */
  readonly changes: boolean;
  readonly from: Place;
}

interface Place {
  readonly index: number;
  /** Track kinds in order of announcement. FFmpeg joins runs by track index, not by kind. */
  readonly order: string;
}

/** Position of the first frame of a track. */
export interface TrackBegin extends Place {
  readonly type: string;
  readonly pid: number;
  /** Bytes of the segment before the frame. */
  readonly offset: number;
  /** Time of the frame; 90 kHz, 33 bits. */
  readonly ticks: number;
  readonly intoSegmentMs: number;
  /** Whether FFmpeg detects the track when opening the segment. */
  readonly isSeenAtOnce: boolean;
}

export interface TrackPlan {
  readonly type: string;
  readonly changes: boolean;
  readonly begin: TrackBegin;
  /** Position in the recording, milliseconds from the start of the first segment. */
  readonly atMs: number;
}

/** Tracks that segments announce. */
export interface AnnouncedTracks {
  readonly video: AnnouncedTrack | undefined;
  readonly audio: AnnouncedTrack | undefined;
  /** Segments that begin with a jump in time. */
  readonly jumps: readonly Place[];
}

/** The plan; a track without a frame is undefined. */
export interface RemuxPlan {
  readonly video: TrackPlan | undefined;
  readonly audio: TrackPlan | undefined;
  readonly jumps: readonly Place[];
}

/**
 * Limit, milliseconds: a track that begins later becomes a separate input. FFmpeg probes only the first five seconds of an input. Also the
 * maximum difference of the two estimates of a start.
 */
const seenWithinMs = 1_000;
const ticksPerMs = ticksPerSecond / 1_000;

/** Numbers of the segments to probe. */
export function segmentsToProbe(segments: readonly RecordedSegment[]): number[] {
  const wanted = segments.flatMap((segment, index) => {
    const before = segments[index - 1];
    if (before === undefined) return [index];
    return isBreak(before, segment) ? [index - 1, index] : [];
  });
  return [...new Set([...wanted, segments.length - 1])];
}

/** The first frame of a track kind; undefined if the segment has no such frame. */
export function beginOf(
  media: SegmentMedia,
  index: number,
  kind: TrackKind,
  wants: 'begin' | 'first',
): TrackBegin | undefined {
  const track = media.tracks.find((each) => each.kind === kind && each[wants] !== undefined);
  const place = track?.[wants];
  if (!track || !place) return undefined;
  const { type, pid, isInFirstTable } = track;
  const intoSegmentMs = passedMs(firstTicksOf(media) ?? place.ticks, place.ticks);
  const isSeenAtOnce = isInFirstTable && intoSegmentMs <= seenWithinMs;
  return { index, type, pid, ...place, intoSegmentMs, isSeenAtOnce };
}

export function planTrack(
  segments: readonly ProbedSegment[],
  { jumps }: AnnouncedTracks,
  { begin, changes }: { begin: TrackBegin; changes: boolean },
): TrackPlan {
  const start = jumps.findLast(({ index }) => index <= begin.index)?.index ?? 0;
  const { type, index } = begin;
  const beforeMs = durationOf(segments.slice(0, index));
  const media = segments[start]?.media;
  const startTicks = media && firstTicksOf(media);
  const exactMs =
    startTicks === undefined ? undefined : durationOf(segments.slice(0, start)) + passedMs(startTicks, begin.ticks);
  const aboutMs = beforeMs + begin.intoSegmentMs;
  const isExact = exactMs !== undefined && Math.abs(exactMs - aboutMs) < seenWithinMs;
  return { type, changes, begin, atMs: isExact ? exactMs : aboutMs };
}

function passedMs(from: number, to: number): number {
  return ((to - from + timestampModulus) % timestampModulus) / ticksPerMs;
}

function durationOf(segments: readonly ProbedSegment[]): number {
  return segments.reduce((sum, { segment }) => sum + segment.durationMs, 0);
}

export function readAnnounced(segments: readonly ProbedSegment[]): AnnouncedTracks {
  const tracks: { video?: AnnouncedTrack; audio?: AnnouncedTrack } = {};
  const jumps: Place[] = [];
  let known: SegmentMedia | undefined;
  segments.forEach(({ segment, media }, index) => {
    const before = segments[index - 1];
    const place = { index, order: media ? orderOf(media) : '' };
    if (before && isBreak(before.segment, segment) && !goesOn(before, media)) jumps.push(place);
    if (media === undefined) return;
    const changed = known === undefined ? [] : changesOf(known, media);
    for (const kind of trackKinds) {
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

function orderOf({ tracks }: SegmentMedia): string {
  return tracks.map(({ kind }) => kind).join();
}

function goesOn(before: ProbedSegment, media: SegmentMedia | undefined): boolean {
  if (!before.media || !media) return false;
  if (firstTicksOf(before.media) === undefined || firstTicksOf(media) === undefined) return false;
  return timesContinue(before.media, before.segment.durationMs, media);
}
