// A rate with a burst: what may happen at once, and how fast the right to more comes back. Time is a parameter.

interface TokenBucketOptions {
  /** How much may happen per second in the long run. */
  readonly perSecond: number;
  /** How much may happen at once after a pause. */
  readonly burst: number;
}

export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #filledMs: number | undefined;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
  }

  /** Takes up to `wanted`, a whole number; the answer is how many there were. */
  take(wanted: number, now: number): number {
    const { perSecond, burst } = this.#options;
    const elapsedMs = now - (this.#filledMs ?? now);
    this.#filledMs = now;
    this.#tokens = Math.min(burst, this.#tokens + (elapsedMs * perSecond) / 1000);
    const taken = Math.min(wanted, Math.floor(this.#tokens));
    this.#tokens -= taken;
    return taken;
  }
}
