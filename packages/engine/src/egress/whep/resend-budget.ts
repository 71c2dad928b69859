// What one viewer may have sent again: each packet once per round trip, and no more than its share. Whoever loses most of what
// is sent asks for most of it again; without a bound that would be a burst in front of everybody else's next picture.
import { TokenBucket } from '../../util/token-bucket.ts';

/** Packets; more per second would feed a line that is full already, more at once (1 ms of sending) would delay the others. */
const resendRate = { perSecond: 500, burst: 100 };
/** A packet asked for again sooner than this is still on its way, milliseconds; half a round trip when that is longer. */
const shortestRepeatMs = 10;
/** Numbers remembered: those of one second. */
const maxRemembered = 512;

export class ResendBudget {
  readonly #bucket = new TokenBucket(resendRate);
  /** When a packet was last sent again, by its number, oldest first. */
  readonly #resentMs = new Map<number, number>();

  /** Those of the numbers asked for that are to be sent again now; the viewer asks again for the others. */
  allow(sequences: readonly number[], rttMs: number, now: number): number[] {
    const repeatMs = Math.max(shortestRepeatMs, rttMs / 2);
    const fresh = [...new Set(sequences)].filter(
      (sequence) => now - (this.#resentMs.get(sequence) ?? Number.NEGATIVE_INFINITY) >= repeatMs,
    );
    const allowed = fresh.slice(0, this.#bucket.take(fresh.length, now));
    for (const sequence of allowed) this.#remember(sequence, now);
    return allowed;
  }

  #remember(sequence: number, now: number): void {
    this.#resentMs.delete(sequence);
    this.#resentMs.set(sequence, now);
    if (this.#resentMs.size <= maxRemembered) return;
    const [oldest] = this.#resentMs.keys();
    if (oldest !== undefined) this.#resentMs.delete(oldest);
  }
}
