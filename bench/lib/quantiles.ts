// Quantiles of a list of numbers, in the output format of the C load tools.

export interface Quantiles {
  readonly n: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Quantiles by nearest rank; all -1 when `values` is empty. */
export function quantiles(values: readonly number[], digits = 3): Quantiles {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => Number((sorted[Math.round(share * (sorted.length - 1))] ?? -1).toFixed(digits));
  return { n: sorted.length, min: at(0), p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
