// The only clock of the engine, passed to all parts that need time.

/** Monotonic milliseconds. */
export function monotonicMs(): number {
  return performance.now();
}
