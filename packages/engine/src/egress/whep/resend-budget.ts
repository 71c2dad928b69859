// Limits retransmissions to one viewer: a maximum rate, and each packet at most once per half round trip. Without limits, a viewer that
// loses most packets would delay the next frame of all other viewers.
import { TokenBucket } from '../../util/token-bucket.ts';

/** Packets. A higher rate would overload a congested connection. The burst takes 1 ms to send; a larger one would delay other viewers. */
const resendRate = { perSecond: 500, burst: 100 };
/**
 * Minimum interval between retransmissions of a packet, milliseconds; at least half the round trip time. A packet requested again earlier
 * is still in transit.
 */
const shortestRepeatMs = 10;
/** Maximum number of remembered sequence numbers: one second of retransmissions. */
const maxRemembered = 512;

export class ResendBudget {
  readonly #bucket = new TokenBucket(resendRate);
  /** Time of the last retransmission by sequence number, oldest first. */
  readonly #resentMs = new Map<number, number>();

  /** Sequence numbers to retransmit now. The viewer repeats the other requests. */
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
