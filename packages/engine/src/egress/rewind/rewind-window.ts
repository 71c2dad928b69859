// The segments of one stream in its rewind window, with their times. Accesses no files and no clocks.
import { type RewindSegment, segmentsBetween } from '@srs-stack/playback/rewind/rewind-names.ts';

/** A finished segment of HLS. */
export interface FinishedSegment {
  /** Arrival of the first frame, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly sizeBytes: number;
  readonly isDiscontinuous: boolean;
}

/** Maximum time correction per segment when the encoder's clock drifts, milliseconds: too small for players to notice. */
const maxSlewMs = 5;
/** Maximum number of segments per window: 6 hours of 2 s, or 30 hours of 10 s. Such a playlist has 1 MB. */
export const maxWindowSegments = 10_800;

export class RewindWindow {
  /** Changes whenever the segments change. */
  version = 0;
  #segments: RewindSegment[];
  #sizeBytes: number;
  #durationMs: number;
  #nextSequence: number;
  #discontinuity: number;
  #isBroken: boolean;

  /** @param segments of an earlier run, in ascending order. The next segment will be discontinuous. */
  constructor(segments: readonly RewindSegment[] = []) {
    this.#segments = [...segments];
    this.#sizeBytes = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#durationMs = segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
    const last = segments.at(-1);
    this.#nextSequence = last === undefined ? 0 : last.sequence + 1;
    this.#discontinuity = last?.discontinuity ?? 0;
    this.#isBroken = last !== undefined;
  }

  get segments(): readonly RewindSegment[] {
    return this.#segments;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Duration of the media without gaps, milliseconds. */
  get durationMs(): number {
    return this.#durationMs;
  }

  /** Milliseconds since 1970; undefined for an empty window. */
  get startMs(): number | undefined {
    return this.#segments[0]?.startMs;
  }

  get endMs(): number | undefined {
    const last = this.#segments.at(-1);
    return last && last.startMs + last.durationMs;
  }

  /** Call when media was lost; the next segment is discontinuous. */
  break(): void {
    this.#isBroken = true;
  }

  /** Assigns sequence number and times to the next segment, without appending it. */
  place({ startedAtMs, durationMs, sizeBytes, isDiscontinuous }: FinishedSegment): RewindSegment {
    const endMs = this.endMs;
    const isBreak = endMs !== undefined && (isDiscontinuous || this.#isBroken);
    return {
      sequence: this.#nextSequence,
      discontinuity: this.#discontinuity + Number(isBreak),
      startMs: Math.round(startOf(startedAtMs, endMs, isBreak)),
      durationMs: Math.max(1, Math.round(durationMs)),
      sizeBytes,
    };
  }

  add(segment: RewindSegment): void {
    this.#segments.push(segment);
    this.#sizeBytes += segment.sizeBytes;
    this.#durationMs += segment.durationMs;
    this.#nextSequence = segment.sequence + 1;
    this.#discontinuity = segment.discontinuity;
    this.#isBroken = false;
    this.version++;
  }

  /** Removes segments that ended before this time, and segments above the limit. */
  dropBefore(timeMs: number): RewindSegment[] {
    const kept = this.#segments.findIndex(({ startMs, durationMs }) => startMs + durationMs > timeMs);
    const surplus = this.#segments.length - maxWindowSegments;
    return this.dropFirst(Math.max(kept < 0 ? this.#segments.length : kept, surplus));
  }

  dropFirst(count: number): RewindSegment[] {
    if (count <= 0) return [];
    const dropped = this.#segments.splice(0, count);
    for (const { sizeBytes, durationMs } of dropped) {
      this.#sizeBytes -= sizeBytes;
      this.#durationMs -= durationMs;
    }
    this.version++;
    return dropped;
  }

  between(range: { fromMs: number; toMs: number }): RewindSegment[] {
    return segmentsBetween(this.#segments, range);
  }

  /** The segment that starts at exactly this time. */
  startingAt(timeMs: number): RewindSegment | undefined {
    return this.#segments.find(({ startMs }) => startMs === timeMs);
  }
}

/** Times follow the media, slightly corrected by arrival times. Arrival times alone would shift when a network stalls and catches up. */
function startOf(startedAtMs: number, endMs: number | undefined, isBreak: boolean): number {
  if (endMs === undefined) return startedAtMs;
  if (isBreak) return Math.max(startedAtMs, endMs);
  return endMs + Math.max(-maxSlewMs, Math.min(startedAtMs - endMs, maxSlewMs));
}
