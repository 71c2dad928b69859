// How long the connection of a publisher nobody waits for may be left unread. Pure: the time is told.

/** The longest, milliseconds. What is read is handed over with the next read, so it may come twice as late. */
const longestRestMs = 100;
/** A shorter one is not worth the two calls to the kernel, milliseconds. */
const shortestRestMs = 25;
/** What Node reads at once, bytes. A fresh connection of Linux takes as much in before its sender has to wait. */
const fullReadBytes = 64 * 1024;
/** What may gather meanwhile, bytes. */
const maxUnreadBytes = 48 * 1024;
/** A rate above that is looked at anew after this long, milliseconds. */
const rateMs = 1_000;

export class ReadPace {
  #bytes = 0;
  #lastRead = 0;
  #sinceMs: number;

  constructor(now: number) {
    this.#sinceMs = now;
  }

  /** So much was read at once. */
  count(bytes: number): void {
    this.#lastRead = bytes;
    this.#bytes += bytes;
  }

  /** Milliseconds that the connection may be left alone from now on, at the rate at which it sent since it was asked last; 0: it may not. */
  restMs(now: number): number {
    // There is more: the rate is that of what was read, and says nothing of what was sent.
    if (this.#lastRead >= fullReadBytes) return 0;
    const passedMs = now - this.#sinceMs;
    const restMs = this.#bytes === 0 ? longestRestMs : (maxUnreadBytes / this.#bytes) * passedMs;
    const isTooFast = restMs < shortestRestMs;
    if (!isTooFast || passedMs >= rateMs) {
      this.#bytes = 0;
      this.#sinceMs = now;
    }
    return isTooFast ? 0 : Math.min(longestRestMs, restMs);
  }
}
