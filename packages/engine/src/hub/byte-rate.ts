// Mean byte rate of about the last 30 s, from a few samples of a running total.

/** Sampling interval, milliseconds: a sixth of the window. */
const sampleIntervalMs = 5000;
/** Window of the mean, milliseconds, as in `recv_30s` and `send_30s` of the SRS API. */
const rateWindowMs = 30_000;

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

export class ByteRate {
  bytes = 0;
  readonly #samples: Sample[];

  constructor(now: number) {
    this.#samples = [{ atMs: now, bytes: 0 }];
  }

  /** Call at least once per second. */
  tick(now: number): void {
    const newest = this.#samples.at(-1);
    if (newest && now - newest.atMs < sampleIntervalMs) return;
    this.#samples.push({ atMs: now, bytes: this.bytes });
    while (this.#samples.length > 1 && now - this.#samples[1]!.atMs >= rateWindowMs) this.#samples.shift();
  }

  /** Mean of the last 30 s in kbit/s. In the first 30 s: mean since the start. */
  kbps(now: number): number {
    const oldest = this.#samples[0]!;
    const elapsedMs = now - oldest.atMs;
    return elapsedMs > 0 ? Math.round(((this.bytes - oldest.bytes) * 8) / elapsedMs) : 0;
  }
}
