// How long the connection of a publisher may be left unread while no reader needs each packet. Pure: time is a parameter.

/** Longest pause, milliseconds. Data is passed on with the next read, so the delay may be twice that. */
const longestRestMs = 100;
/** A shorter pause is not worth its two system calls, milliseconds. */
const shortestRestMs = 25;
/** Read size of Node, bytes. A new Linux connection buffers as much before its sender blocks. */
const fullReadBytes = 64 * 1024;
/** Maximum bytes that may accumulate during a pause. */
const maxUnreadBytes = 48 * 1024;
/** Interval after which an increased rate is measured again, milliseconds. */
const rateMs = 1_000;

export class ReadPace {
  #bytes = 0;
  #lastRead = 0;
  #sinceMs: number;

  constructor(now: number) {
    this.#sinceMs = now;
  }

  /** Records a read of this size. */
  count(bytes: number): void {
    this.#lastRead = bytes;
    this.#bytes += bytes;
  }

  /** Milliseconds for which the connection may be left unread, at its rate since the last call; 0: none. */
  restMs(now: number): number {
    // No pause after a read that left data unread: the measured rate is then below the rate of the sender.
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
