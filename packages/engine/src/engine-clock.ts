// The engine's only clock; it is passed to all its parts.

/** Monotonic milliseconds. */
export function monotonicMs(): number {
  return performance.now();
}
