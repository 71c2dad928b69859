// The engine's only clock; everything inside gets it handed in.

/** Monotonic milliseconds. */
export function monotonicMs(): number {
  return performance.now();
}
