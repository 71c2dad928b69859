// Selects the next segments of a playlist across its reloads (RFC 8216 §6.3.3, §6.3.4). Pure.
import type { HlsMediaPlaylist, HlsSegment } from './hls-playlist.ts';

/** A client starts this many segments before the end of a live playlist. */
const startSegments = 3;
/**
 * When the unread segments of a live source exceed this, reading restarts near its end: the server has restarted, or the network was down.
 */
const maxBehindSegments = 12;
/** Fraction of the target duration after which a playlist without new segments is reloaded. */
const unchangedShare = 0.5;

export interface NextSegment {
  readonly segment: HlsSegment;
  /** Media before this segment is missing, or its timestamps restart. */
  readonly isBreak: boolean;
}

export class PlaylistPosition {
  /** Segments of the last playlist with numbers from `#next` on. */
  #unread: readonly HlsSegment[] = [];
  #next = 0;
  /** Sequence number of the last segment taken. */
  #lastTaken: number | undefined;
  /** Highest sequence number seen. */
  #newest = -1;
  #isBreak = false;
  #hasEnded = false;
  #reloadMs = 0;
  #maxBehind = maxBehindSegments;

  /** Time from the last load to the next one, milliseconds. */
  get reloadMs(): number {
    return this.#reloadMs;
  }

  get unreadSegments(): number {
    return this.#unread.length - this.#next;
  }

  /** Whether no segments follow the unread ones. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Processes a loaded playlist; true when it has segments that the previous one did not have. */
  load({ segments, targetDurationMs, hasEnded }: HlsMediaPlaylist): boolean {
    const first = segments[0];
    const last = segments.at(-1);
    const hasRestarted = last !== undefined && last.sequence < (this.#lastTaken ?? 0);
    const isNew = last !== undefined && (hasRestarted || last.sequence > this.#newest);
    this.#hasEnded = hasEnded;
    this.#reloadMs = targetDurationMs * (isNew ? 1 : unchangedShare);
    if (!first || !last) return false;
    this.#newest = last.sequence;
    if (this.#lastTaken === undefined) this.#start(segments, hasEnded);
    else if (hasRestarted) this.#jump(segments);
    else this.#continue(segments, this.#lastTaken);
    return isNew;
  }

  take(): NextSegment | undefined {
    for (let segment = this.#unread[this.#next]; segment; segment = this.#unread[this.#next]) {
      this.#next++;
      this.#lastTaken = segment.sequence;
      const isBreak = this.#isBreak || segment.isDiscontinuity;
      this.#isBreak = segment.isGap;
      if (!segment.isGap) return { segment, isBreak };
    }
    return undefined;
  }

  /** Call when the segment that was taken last could not be read whole. */
  markBreak(): void {
    this.#isBreak = true;
  }

  /** A playlist that has ended is read from its beginning. */
  #start(segments: readonly HlsSegment[], hasEnded: boolean): void {
    this.#read(hasEnded ? segments : segments.slice(-startSegments));
    if (hasEnded) this.#maxBehind = Number.POSITIVE_INFINITY;
    this.#lastTaken = (this.#unread[0]?.sequence ?? 0) - 1;
  }

  #continue(segments: readonly HlsSegment[], lastTaken: number): void {
    this.#read(segments.filter(({ sequence }) => sequence > lastTaken));
    const isMissing = (this.#unread[0]?.sequence ?? lastTaken + 1) > lastTaken + 1;
    if (isMissing) this.#isBreak = true;
    if (this.#unread.length > this.#maxBehind) this.#jump(segments);
  }

  #jump(segments: readonly HlsSegment[]): void {
    this.#isBreak = true;
    this.#read(segments.slice(-startSegments));
    this.#lastTaken = (this.#unread[0]?.sequence ?? 0) - 1;
  }

  #read(segments: readonly HlsSegment[]): void {
    this.#unread = segments;
    this.#next = 0;
  }
}
