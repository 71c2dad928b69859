// Delay before the next attempt: doubling, capped, with jitter so that many targets do not reconnect simultaneously.

export interface BackOff {
  readonly firstMs: number;
  readonly capMs: number;
  /** Share of the delay that is random, 0 to 1. */
  readonly jitter: number;
}

/** Maximum exponent, so that the power stays finite. */
const maxDoublings = 20;

/** Delay in milliseconds after `failures` consecutive failures, at least 1. `random` returns 0 to 1. */
export function delayMs(backOff: BackOff, failures: number, random: () => number): number {
  const full = Math.min(backOff.capMs, backOff.firstMs * 2 ** Math.min(failures - 1, maxDoublings));
  return Math.round(full * (1 - backOff.jitter + 2 * backOff.jitter * random()));
}
