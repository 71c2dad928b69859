// Segments and parts of a live stream as a playlist of RFC 8216bis (draft-pantos-hls-rfc8216bis), with parts, blocking reload and delta
// updates. Does no input or output: waiting requests are in other modules.
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
  /** Date of the first frame, milliseconds since 1970. */
  readonly dateMs: number;
  readonly parts: readonly ListedPart[];
  /** Undefined for the open segment. */
  readonly durationMs: number | undefined;
  readonly sizeBytes: number;
}

/** End of a playlist: sequence number of the open segment and count of its parts; without an open segment, the next number and 0. */
export interface PlaylistEnd {
  readonly mediaSequence: number;
  readonly parts: number;
}

/** Minimum duration of a live playlist in target durations (§6.2.2). */
const minTargetDurations = 3;
/**
 * Minimum target duration, seconds: the preferred segment length. The target never shrinks (§6.2.1), but grows with long keyframe
 * intervals.
 */
const minTargetDuration = 2;
/** `HOLD-BACK` in target durations, and `PART-HOLD-BACK` in part targets: the minimum values of §4.4.3.8. */
const holdBackTargets = 3;
const partHoldBackTargets = 3;
/** `CAN-SKIP-UNTIL` in target durations: the minimum value of §4.4.3.8. */
const skipTargets = 6;
/** Length of the end of the playlist in which parts are listed, in target durations. §4.4.4.9 requires no more. */
const partsListedTargets = 3;

/** `EXT-X-TARGETDURATION`, seconds. All renditions of a stream share the value (§6.2.4). */
export interface Target {
  seconds: number;
}

/**
 * Not 0, because hls.js (at least up to 1.7.4) has a bug: it may treat the parts of segment 0 as evicted from its buffer, and loads them
 * repeatedly until the next segment is complete. RFC 8216bis §4.4.3.2 allows any number.
 */
const firstMediaSequence = 1;

export function leastTarget(): Target {
  return { seconds: minTargetDuration };
}

export class PartPlaylist<Segment extends ListedSegment> {
  #segments: Segment[] = [];
  #mediaSequence = firstMediaSequence;
  #discontinuitySequence = 0;
  readonly #target: Target;
  partTargetMs = 0;

  constructor(target: Target = leastTarget()) {
    this.#target = target;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Seconds. */
  get targetDuration(): number {
    return this.#target.seconds;
  }

  /** Duration of all segments, including the parts of the open segment, milliseconds. */
  get durationMs(): number {
    return durationOf(this.#segments);
  }

  /** Whether a complete segment and a part after it exist. The complete segment determines the target duration. */
  get isPlayable(): boolean {
    return this.#segments.length > 1;
  }

  get end(): PlaylistEnd {
    const last = this.#segments.at(-1);
    const after = this.#mediaSequence + this.#segments.length;
    if (last === undefined || last.durationMs !== undefined) return { mediaSequence: after, parts: 0 };
    return { mediaSequence: after - 1, parts: last.parts.length };
  }

  /** Bits per second of the complete segments. */
  get bandwidth(): Bandwidth {
    const whole = this.#segments.filter(({ durationMs }) => durationMs !== undefined);
    const rateOf = (sizeBytes: number, durationMs: number) => Math.ceil((sizeBytes * 8000) / Math.max(1, durationMs));
    const sizeBytes = whole.reduce((total, segment) => total + segment.sizeBytes, 0);
    return {
      peak: Math.max(1, ...whole.map((segment) => rateOf(segment.sizeBytes, segment.durationMs!))),
      average: Math.max(1, rateOf(sizeBytes, durationOf(whole))),
    };
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
  }

  /**
   * Removes old segments and returns them. Call when the duration of the last segment is known. @param windowMs length of the playlist;
   * §6.2.2 sets a minimum.
   */
  slide(windowMs: number): Segment[] {
    const { durationMs = 0 } = this.#segments.at(-1)!;
    this.#target.seconds = Math.max(this.#target.seconds, Math.round(durationMs / 1000));
    const removed: Segment[] = [];
    while (this.#canRemoveFirst(windowMs)) removed.push(this.#removeFirst());
    return removed;
  }

  /** Removes segments at the start only, so that segment numbers stay valid. */
  removeLeading(isGone: (segment: Segment) => boolean): void {
    while (this.#segments.length > 0 && isGone(this.#segments[0]!)) this.#removeFirst();
  }

  /**
   * The playlist text for all viewers. @param hint name of the part that is being created; undefined without a publisher, because requests
   * cannot wait for a part then. @param isDelta omits older segments, which the player already has (`_HLS_skip`, §6.2.5.1).
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

  /** Number of segments that a delta update may omit: those before `CAN-SKIP-UNTIL`. */
  #skippable(): number {
    return this.#before(skipTargets * this.targetDuration * 1000, this.#segments);
  }

  #partsListedFrom(listed: readonly Segment[]): number {
    return this.#before(partsListedTargets * this.targetDuration * 1000, listed);
  }

  /**
   * Number of segments that end before this distance from the end of the playlist. The open segment does not count, so that its growth
   * never brings back an omitted segment.
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
