// The window of segments and parts of a live stream and its text: RFC 8216bis (draft-pantos-hls-rfc8216bis), with parts, blocking reload
// and delta updates. Pure: segments contain their dates and bytes; other modules hold waiting requests.
import type { Bandwidth } from '../hls/live-playlist.ts';
import { PlaylistText } from './playlist-text.ts';

export interface ListedPart {
  readonly fileName: string;
  readonly durationMs: number;
  readonly isIndependent: boolean;
}

export interface ListedSegment {
  readonly fileName: string;
  readonly initFileName: string;
  readonly isDiscontinuous: boolean;
  /** Date of its first frame, milliseconds since 1970. */
  readonly dateMs: number;
  readonly parts: readonly ListedPart[];
  /** Undefined while it is open. */
  readonly durationMs: number | undefined;
  readonly sizeBytes: number;
}

/** End of a playlist: the open segment and its number of parts. */
export interface PlaylistEnd {
  readonly mediaSequence: number;
  readonly parts: number;
}

/** Minimum length of a live playlist, target durations (§6.2.2). */
const minTargetDurations = 3;
/** Minimum target duration, seconds: the preferred segment length. It never shrinks (§6.2.1), but grows with long keyframe intervals. */
const minTargetDuration = 2;
/** `HOLD-BACK`, target durations, and `PART-HOLD-BACK`, part targets: the minimum of §4.4.3.8. */
const holdBackTargets = 3;
const partHoldBackTargets = 3;
/** `CAN-SKIP-UNTIL`, target durations: the minimum of §4.4.3.8. */
const skipTargets = 6;
/** Parts are listed for segments this close to the end, target durations: §4.4.4.9 needs no more. */
const partsListedTargets = 3;

/** `EXT-X-TARGETDURATION`, shared by the playlists of all renditions of a stream (§6.2.4); seconds. */
export interface Target {
  seconds: number;
}

/**
 * Any number is valid (RFC 8216bis §4.4.3.2), but hls.js (up to 1.7.4 at least) has a bug with 0. When playlist and parts arrive in an
 * unfavourable order, it treats the parts of segment 0 as evicted from its buffer, and loads them again until the next segment is complete.
 */
const firstMediaSequence = 1;

export function leastTarget(): Target {
  return { seconds: minTargetDuration };
}

export class PartPlaylist<Segment extends ListedSegment> {
  #segments: Segment[] = [];
  /** Number of the first listed segment. */
  #mediaSequence = firstMediaSequence;
  #discontinuitySequence = 0;
  readonly #target: Target;
  partTargetMs = 0;

  constructor(target: Target = leastTarget()) {
    this.#target = target;
  }

  /** Listed segments; the last one may still be open. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Seconds. */
  get targetDuration(): number {
    return this.#target.seconds;
  }

  /** True once the first complete segment, which determines the target duration, and a part after it exist. */
  get isPlayable(): boolean {
    return this.#segments.length > 1;
  }

  get end(): PlaylistEnd {
    const last = this.#segments.at(-1);
    const after = this.#mediaSequence + this.#segments.length;
    if (last === undefined || last.durationMs !== undefined) return { mediaSequence: after, parts: 0 };
    return { mediaSequence: after - 1, parts: last.parts.length };
  }

  /** Bits per second of complete segments. */
  get bandwidth(): Bandwidth {
    const whole = this.#segments.filter(({ durationMs }) => durationMs !== undefined);
    const rateOf = (sizeBytes: number, durationMs: number) => Math.ceil((sizeBytes * 8000) / Math.max(1, durationMs));
    const sizeBytes = whole.reduce((total, segment) => total + segment.sizeBytes, 0);
    return {
      peak: Math.max(1, ...whole.map((segment) => rateOf(segment.sizeBytes, segment.durationMs!))),
      average: Math.max(1, rateOf(sizeBytes, durationOf(whole))),
    };
  }

  /** Appends a new open segment. */
  add(segment: Segment): void {
    this.#segments.push(segment);
  }

  /**
   * Removes old segments and returns them. Call when the duration of the last segment is known.
   * @param windowMs length of the playlist; it is never shorter than §6.2.2 allows.
   */
  slide(windowMs: number): Segment[] {
    const { durationMs = 0 } = this.#segments.at(-1)!;
    this.#target.seconds = Math.max(this.#target.seconds, Math.round(durationMs / 1000));
    const removed: Segment[] = [];
    while (this.#canRemoveFirst(windowMs)) removed.push(this.#removeFirst());
    return removed;
  }

  /** Removes the oldest segments, whose bytes were released. */
  removeLeading(isGone: (segment: Segment) => boolean): void {
    while (this.#segments.length > 0 && isGone(this.#segments[0]!)) this.#removeFirst();
  }

  /**
   * The playlist text, shared by all viewers.
   * @param hint name of the part that is being created. Undefined without a publisher: requests then cannot wait for a part.
   * @param isDelta omits older segments that the player already has (`_HLS_skip`, §6.2.5.1), if there are enough.
   */
  toText({ hint, isDelta }: { hint: string | undefined; isDelta: boolean }): PlaylistText {
    const skipped = isDelta && hint !== undefined ? this.#skippable() : 0;
    const text = new PlaylistText();
    this.#writeHead(text, hint !== undefined);
    if (skipped > 0) text.line(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
    const listed = this.#segments.slice(skipped);
    const partsFrom = this.#partsListedFrom(listed);
    let init: string | undefined;
    listed.forEach((segment, index) => {
      if (segment.isDiscontinuous) text.line('#EXT-X-DISCONTINUITY');
      if (segment.initFileName !== init) text.uri('#EXT-X-MAP:URI="', segment.initFileName, '"');
      init = segment.initFileName;
      this.#writeSegment(text, segment, index >= partsFrom);
    });
    if (hint !== undefined) text.uri('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="', hint, '"');
    return text;
  }

  #writeHead(text: PlaylistText, isLive: boolean): void {
    const target = this.targetDuration;
    const partTarget = seconds(this.partTargetMs);
    const control = [
      ...(isLive ? ['CAN-BLOCK-RELOAD=YES', `CAN-SKIP-UNTIL=${skipTargets * target}`] : []),
      `PART-HOLD-BACK=${seconds(this.partTargetMs * partHoldBackTargets)}`,
      `HOLD-BACK=${holdBackTargets * target}`,
    ];
    text.line('#EXTM3U');
    text.line('#EXT-X-VERSION:9');
    text.line(`#EXT-X-TARGETDURATION:${target}`);
    text.line(`#EXT-X-SERVER-CONTROL:${control.join(',')}`);
    text.line(`#EXT-X-PART-INF:PART-TARGET=${partTarget}`);
    text.line(`#EXT-X-MEDIA-SEQUENCE:${this.#mediaSequence}`);
    if (this.#discontinuitySequence > 0) text.line(`#EXT-X-DISCONTINUITY-SEQUENCE:${this.#discontinuitySequence}`);
  }

  #writeSegment(text: PlaylistText, segment: Segment, hasParts: boolean): void {
    const { dateMs, parts, durationMs, fileName } = segment;
    text.line(`#EXT-X-PROGRAM-DATE-TIME:${new Date(dateMs).toISOString()}`);
    for (const part of hasParts ? parts : []) {
      const independent = part.isIndependent ? ',INDEPENDENT=YES' : '';
      text.uri(`#EXT-X-PART:DURATION=${seconds(part.durationMs)},URI="`, part.fileName, `"${independent}`);
    }
    if (durationMs === undefined) return;
    text.line(`#EXTINF:${seconds(durationMs)},`);
    text.uri('', fileName, '');
  }

  /** Number of segments that start before `CAN-SKIP-UNTIL` counted from the end. */
  #skippable(): number {
    return this.#before(skipTargets * this.targetDuration * 1000, this.#segments);
  }

  #partsListedFrom(listed: readonly Segment[]): number {
    return this.#before(partsListedTargets * this.targetDuration * 1000, listed);
  }

  /**
   * Number of segments that end before this distance from the end of the playlist. The open one does not count: a segment must not reappear
   * when its final length is known.
   */
  #before(distanceMs: number, segments: readonly Segment[]): number {
    let fromEndMs = 0;
    for (let index = segments.length - 1; index >= 0; index--) {
      if (fromEndMs > distanceMs) return index + 1;
      fromEndMs += segments[index]!.durationMs ?? 0;
    }
    return 0;
  }

  #canRemoveFirst(windowMs: number): boolean {
    const remainingMs = durationOf(this.#segments.slice(1));
    return remainingMs >= windowMs && remainingMs >= minTargetDurations * this.targetDuration * 1000;
  }

  #removeFirst(): Segment {
    const first = this.#segments.shift()!;
    this.#mediaSequence++;
    if (first.isDiscontinuous) this.#discontinuitySequence++;
    return first;
  }
}

function lengthOf({ durationMs, parts }: ListedSegment): number {
  return durationMs ?? parts.reduce((total, part) => total + part.durationMs, 0);
}

function durationOf(segments: readonly ListedSegment[]): number {
  return segments.reduce((total, segment) => total + lengthOf(segment), 0);
}

/** Decimal seconds with at most three decimals. */
function seconds(ms: number): string {
  return String(Math.round(ms) / 1000);
}
