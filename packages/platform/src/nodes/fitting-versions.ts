// Decides which releases can run together in one cluster.

/** Maximum difference of minor versions. Rows, calls and announcements of more distant releases differ. */
const mostMinorsApart = 1;

/**
 * True for equal major numbers and minor numbers at most one apart, so that nodes can be upgraded one by one. An unparseable version fits
 * only itself.
 */
export function areFitting(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  if (!a || !b) return one === other;
  return a.major === b.major && Math.abs(a.minor - b.minor) <= mostMinorsApart;
}

function numbersOf(version: string): { major: number; minor: number } | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
