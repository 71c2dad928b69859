// The engine's clock for timeouts and statistics. Dates and file names use the wall clock.

/** Monotonic milliseconds. */
export function monotonicMs(): number {
  return performance.now();
}
