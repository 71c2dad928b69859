// Delay before the next attempt. The delay doubles up to a limit. Random jitter keeps many targets from reconnecting simultaneously.

export interface BackOff {
  readonly firstMs: number;
  readonly capMs: number;
  /** Maximum random deviation from the delay, as a share of the delay, 0 to 1. */
  readonly jitter: number;
}

/** Maximum number of doublings, which keeps the power finite. */
const maxDoublings = 20;

/** Delay in milliseconds after this number of consecutive failures, at least 1. @param random returns 0 to 1. */
export function delayMs(backOff: BackOff, failures: number, random: () => number): number {
  const full = Math.min(backOff.capMs, backOff.firstMs * 2 ** Math.min(failures - 1, maxDoublings));
  return Math.round(full * (1 - backOff.jitter + 2 * backOff.jitter * random()));
}
