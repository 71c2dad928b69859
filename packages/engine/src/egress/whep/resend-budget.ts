// Bounds retransmissions to one viewer: each packet once per round trip, and a maximum rate. A viewer that loses most packets requests most
// of them again; without a limit that burst would delay the next frame of all others.
import { TokenBucket } from '../../util/token-bucket.ts';

/** Packets; a higher rate would overload a congested connection, a larger burst (1 ms of sending) would delay the other viewers. */
const resendRate = { perSecond: 500, burst: 100 };
/**
 * Minimum interval between two retransmissions of a packet, milliseconds, or half a round trip if that is longer: a packet requested again
 * sooner is still in transit.
 */
const shortestRepeatMs = 10;
/** Maximum number of remembered sequence numbers: those of one second. */
const maxRemembered = 512;

export class ResendBudget {
  readonly #bucket = new TokenBucket(resendRate);
  /** When a packet was last retransmitted, by its number, oldest first. */
  readonly #resentMs = new Map<number, number>();

  /** The requested numbers to retransmit now; the viewer requests the others again. */
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
