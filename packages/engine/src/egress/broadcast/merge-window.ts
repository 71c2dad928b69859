// Decides when to write to the viewers of a stream. A write costs the same for one packet as for four, so packets for many viewers are
// merged. A credit, which grows with time, limits the number of writes. A video frame needs credit for one write. Audio needs full credit,
// or waits for the next video frame.

/** From this number of viewers on, packets wait for the whole merge window; with fewer viewers, for a proportional part. */
const fullWindowViewers = 100;
/** CPU time of one socket write, milliseconds: about the cost of one TCP segment in Linux. */
const writeCostMs = 0.009;
/** Maximum share of the event loop for the writes of one format. Above this share, more viewers cause a longer window. */
const maxWriteShare = 0.2;
/** Maximum credit, number of writes. */
const maxCredit = 2;
/** Longest wait of a packet for a video frame, in merge windows. */
const maxWaitWindows = 1.5;

/** Number of viewers of all streams in one format. Their writes share one event loop. */
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
   * Call for each packet. Returns the milliseconds until the packet must be written; 0: immediately. `isLeading`: true for video, and for
   * audio of a stream without video.
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

  /** Mean interval of writes to one viewer, milliseconds. */
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
