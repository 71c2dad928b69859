// How long to wait before the next attempt: doubling, capped, with jitter so that many targets do not return at once.

export interface BackOff {
  readonly firstMs: number;
  readonly capMs: number;
  /** Share of the delay that is random, 0 to 1. */
  readonly jitter: number;
}

/** Between attempts at a target that failed. The first is short: most failures are a blip of the network. */
export const retryBackOff: BackOff = { firstMs: 1_000, capMs: 30_000, jitter: 0.2 };
/** Between attempts that need the operator (a wrong address, FFmpeg missing). */
export const errorBackOff: BackOff = { firstMs: 5_000, capMs: 60_000, jitter: 0.2 };

/** `failures` counts from 1; `random` gives 0 to 1. */
export function delayMs(backOff: BackOff, failures: number, random: () => number): number {
  const full = Math.min(backOff.capMs, backOff.firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(full * (1 - backOff.jitter + 2 * backOff.jitter * random()));
}
