// When the viewers of a stream are written to. A write costs the same whether it carries one packet or four, so with many
// viewers packets are gathered. Writes follow video frames, because what has just come waits least: credit for writes
// grows with time, a video frame spends it at once, sound spends only what is left over or goes along.

/** Viewers from which on the whole merge window is used; fewer viewers get a proportional part of the delay. */
const fullWindowViewers = 100;
/** CPU time of one socket write, milliseconds: about what Linux needs for a TCP segment. */
const writeCostMs = 0.009;
/** Share of the event loop that the writes of one format may take; beyond it the window grows with the viewers. */
const maxWriteShare = 0.2;
/** Writes that can be saved up. */
const maxCredit = 2;
/** A packet waits at most this many windows for a video frame to go along with. */
const maxWaitWindows = 1.5;

/** Viewers of all streams together: their writes share one event loop. */
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

  /** A packet has come: milliseconds until it must be written, 0 for at once. `isLeading` for video, or when there is none. */
  delayOf(isLeading: boolean, viewers: number, now: number): number {
    const distanceMs = this.#distanceMs(viewers);
    if (distanceMs < 1) return 0;
    this.#earn(distanceMs, now);
    if (this.#credit >= (isLeading ? 1 : maxCredit)) return 0;
    const waitMs = Math.max(this.#lastWriteMs, now - distanceMs) + distanceMs * maxWaitWindows - now;
    return Math.max(1, waitMs);
  }

  /** The viewers are being written to. */
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
