// Decides when to write to the viewers of a stream. A write costs the same for one packet or four, so with many viewers packets are merged.
// The number of writes is limited by a credit that accumulates over time. Video is written as soon as there is credit for one write, audio
// only at full credit or together with the next video frame.

/** Number of viewers for the whole merge window; fewer viewers get a proportional part of the delay. */
const fullWindowViewers = 100;
/** CPU time of one socket write, milliseconds: about that of a TCP segment in Linux. */
const writeCostMs = 0.009;
/** Share of the event loop for the writes of one format; above it the window grows with the number of viewers. */
const maxWriteShare = 0.2;
/** Maximum credit, writes. */
const maxCredit = 2;
/** Longest wait of a packet for a video frame, in merge windows. */
const maxWaitWindows = 1.5;

/** Number of viewers of all streams: their writes share one event loop. */
export interface WriteLoad {
  viewers: number;
}

export class MergeWindow {
  readonly #mergeWindowMs: number;
  #credit = maxCredit;
  #creditAtMs = 0;
  #lastWriteMs = Number.NEGATIVE_INFINITY;

  constructor(mergeWindowMs: number) {
    this.#mergeWindowMs = mergeWindowMs;
  }

  /**
   * Call for each packet: returns the milliseconds until it must be written, 0 for immediately. `isLeading`: true for video, and for audio
   * of a stream without video.
   */
  delayOf(isLeading: boolean, viewers: number, now: number): number {
    const distanceMs = this.#distanceMs(viewers);
    if (distanceMs < 1) return 0;
    this.#earn(distanceMs, now);
    if (this.#credit >= (isLeading ? 1 : maxCredit)) return 0;
    const waitMs = Math.max(this.#lastWriteMs, now - distanceMs) + distanceMs * maxWaitWindows - now;
    return Math.max(1, waitMs);
  }

  /** Call after data was written to the viewers. */
  spend(now: number): void {
    this.#credit = Math.max(0, this.#credit - 1);
    this.#lastWriteMs = now;
  }

  /** Mean milliseconds between two writes to the same viewer. */
  #distanceMs(viewers: number): number {
    if (this.#mergeWindowMs === 0) return 0;
    const share = Math.min(1, viewers / fullWindowViewers);
    return Math.max(this.#mergeWindowMs * share, (viewers * writeCostMs) / maxWriteShare);
  }

  #earn(distanceMs: number, now: number): void {
    this.#credit = Math.min(maxCredit, this.#credit + (now - this.#creditAtMs) / distanceMs);
    this.#creditAtMs = now;
  }
}
