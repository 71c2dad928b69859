// Limits a rate, with bursts after pauses. Pure; time is a parameter.

interface TokenBucketOptions {
  readonly perSecond: number;
  /** Maximum number of tokens. */
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

  /** Takes up to `wanted` tokens (a whole number). Returns the number of tokens taken. */
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
