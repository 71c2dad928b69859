// Writes the playlists and the storyboard of a window: a live playlist of the whole window, a finished playlist of a range (RFC 8216), and
// a WebVTT file with the images of the seek bar.
import type { RewindSegment } from '@srs-stack/playback/rewind/rewind-names.ts';
import { PlaylistText } from '../low-latency-hls/playlist-text.ts';
import { toPublicImageName, toPublicSegmentName } from './rewind-public-names.ts';

/** Distance from the end beyond which a delta update omits segments, in target durations. RFC 8216bis §4.4.3.8 requires at least 6. */
const skipTargets = 6;
/** Minimum interval of images, seconds. The interval is doubled until at most `maxImages` remain. */
const leastImageSeconds = 10;
/** Maximum number of images in one WebVTT file. */
const maxImages = 240;

export interface PlaylistOptions {
  readonly stream: string;
  readonly isEnded: boolean;
  readonly isDelta?: boolean;
  /** Start position of a player within a range, milliseconds after the start of the first segment. */
  readonly offsetMs?: number;
}

/** Target duration of RFC 8216 §4.3.3.1: rounded to the nearest second. */
export function targetSecondsOf(segments: readonly RewindSegment[]): number {
  const longestMs = segments.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 1);
  return Math.max(1, Math.round(longestMs / 1000));
}

/** @param segments at least one. */
export function writeRewindPlaylist(segments: readonly RewindSegment[], options: PlaylistOptions): PlaylistText {
  const { stream, isEnded, isDelta = false, offsetMs } = options;
  const text = new PlaylistText();
  const targetSeconds = targetSecondsOf(segments);
  const first = segments[0]!;
  const skipped = isDelta ? skippedIn(segments, targetSeconds) : 0;
  text.line('#EXTM3U');
  text.line(`#EXT-X-VERSION:${skipped > 0 ? 9 : 6}`);
  text.line(`#EXT-X-TARGETDURATION:${targetSeconds}`);
  text.line(`#EXT-X-MEDIA-SEQUENCE:${first.sequence}`);
  if (first.discontinuity > 0) text.line(`#EXT-X-DISCONTINUITY-SEQUENCE:${first.discontinuity}`);
  if (isEnded && offsetMs !== undefined) text.line('#EXT-X-PLAYLIST-TYPE:VOD');
  if (!isEnded) text.line(`#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=${(skipTargets * targetSeconds).toFixed(1)}`);
  if (offsetMs) text.line(`#EXT-X-START:TIME-OFFSET=${(offsetMs / 1000).toFixed(3)},PRECISE=YES`);
  if (skipped > 0) text.line(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  for (let index = skipped; index < segments.length; index++) {
    const segment = segments[index]!;
    const before = segments[index - 1];
    if (before && before.discontinuity !== segment.discontinuity) text.line('#EXT-X-DISCONTINUITY');
    text.line(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.startMs).toISOString()}`);
    text.line(`#EXTINF:${(segment.durationMs / 1000).toFixed(3)},`);
    text.uri('', toPublicSegmentName(stream, segment), '');
  }
  if (isEnded) text.line('#EXT-X-ENDLIST');
  return text;
}

function skippedIn(segments: readonly RewindSegment[], targetSeconds: number): number {
  let keptMs = 0;
  let index = segments.length;
  while (index > 0 && keptMs < skipTargets * targetSeconds * 1000) keptMs += segments[--index]!.durationMs;
  return index;
}

/**
 * Writes the images of the seek bar as WebVTT, at most one image per 10 s. Cues name JPEG files in the folder of the WebVTT file. Times
 * count from the start of the window; a note contains its date. @param query authorizes the images; with its question mark, or ''.
 */
export function writeStoryboard(segments: readonly RewindSegment[], stream: string, query: string): string {
  const first = segments[0];
  if (first === undefined) return 'WEBVTT\n';
  const shown = segmentsWithImages(segments);
  const places = playedMs(segments);
  const blocks = shown.map((index, at) => {
    const endMs = places[shown[at + 1] ?? segments.length]!;
    const name = encodeURIComponent(toPublicImageName(stream, segments[index]!.startMs));
    return `\n${vttTime(places[index]!)} --> ${vttTime(endMs)}\n${name}${query}\n`;
  });
  return `WEBVTT\n\nNOTE begins ${new Date(first.startMs).toISOString()}\n${blocks.join('')}`;
}

/** Numbers of the segments whose first frame is shown: the first segment of each fixed interval, so the selection is stable. */
function segmentsWithImages(segments: readonly RewindSegment[]): number[] {
  const last = segments.at(-1)!;
  const lengthMs = last.startMs + last.durationMs - segments[0]!.startMs;
  let stretchMs = leastImageSeconds * 1000;
  while (lengthMs / stretchMs > maxImages - 1) stretchMs *= 2;
  let shown = -1;
  return segments.flatMap(({ startMs }, index) => {
    const stretch = Math.floor(startMs / stretchMs);
    if (stretch === shown) return [];
    shown = stretch;
    return [index];
  });
}

/** Start of each segment on the player's timeline, and the end of the last segment. Gaps without a publisher are omitted. */
function playedMs(segments: readonly RewindSegment[]): number[] {
  const places = [0];
  for (const { durationMs } of segments) places.push(places.at(-1)! + durationMs);
  return places;
}

function vttTime(ms: number): string {
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${pad(hours)}:${pad(minutes)}:${pad(seconds % 60)}.${pad(ms % 1000, 3)}`;
}
