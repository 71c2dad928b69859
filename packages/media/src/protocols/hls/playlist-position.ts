// Selects the next segments of a playlist after each reload (RFC 8216 §6.3.3, §6.3.4).
import type { HlsMediaPlaylist, HlsSegment } from './hls-playlist.ts';

/** Number of segments before the end of a live playlist at which a client starts. */
const startSegments = 3;
/**
 * Maximum number of unread segments of a live source. Above this, reading restarts near the end: the server has restarted, or the network
 * was down.
 */
const maxBehindSegments = 12;
/** Wait before reloading an unchanged playlist, as a fraction of the target duration. */
const unchangedShare = 0.5;

export interface NextSegment {
  readonly segment: HlsSegment;
  /** Media before this segment is missing, or the timestamps restart. */
  readonly isBreak: boolean;
}

export class PlaylistPosition {
  /** Segments of the last playlist that are to be read. `#next` is the index of the first unread segment. */
  #unread: readonly HlsSegment[] = [];
  #next = 0;
  #lastTaken: number | undefined;
  #newest = -1;
  #isBreak = false;
  #hasEnded = false;
  #reloadMs = 0;
  #maxBehind = maxBehindSegments;

  get reloadMs(): number {
    return this.#reloadMs;
  }

  get unreadSegments(): number {
    return this.#unread.length - this.#next;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Processes a loaded playlist. Returns whether the playlist has new segments. */
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

  /** Call when the last segment could not be read completely. */
  markBreak(): void {
    this.#isBreak = true;
  }

  /** Reads an ended playlist from the beginning, and a live playlist from near the end. */
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
