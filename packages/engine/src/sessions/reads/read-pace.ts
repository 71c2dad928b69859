// Calculates how long a connection to a publisher or source may be left unread while no reader needs each packet. Pure; time is a
// parameter.

/** Longest pause, milliseconds. */
const longestRestMs = 100;
/** Shortest pause, milliseconds: a shorter one is not worth two system calls. */
const shortestRestMs = 25;
/** Maximum size of a read in Node, bytes. The kernel buffer of a new connection on Linux has the same size. */
const fullReadBytes = 64 * 1024;
/** Maximum bytes that may accumulate during a pause. */
const maxUnreadBytes = 48 * 1024;
/** While the rate is too high for a pause, the measurement restarts at this interval, milliseconds. */
const rateMs = 1_000;

export class ReadPace {
  #bytes = 0;
  #lastRead = 0;
  #sinceMs: number;

  constructor(now: number) {
    this.#sinceMs = now;
  }

  count(bytes: number): void {
    this.#lastRead = bytes;
    this.#bytes += bytes;
  }

  /**
   * Returns how long the connection may be left unread, milliseconds, at the data rate since the start of the measurement. 0 means no
   * pause.
   */
  restMs(now: number): number {
    // No pause after a full read. More data was waiting, so the measured rate is below the rate of the sender.
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
