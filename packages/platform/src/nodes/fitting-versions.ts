// Which releases can run together in one cluster. Pure.

/** Largest difference of minor versions: more distant releases have different rows, calls and announcements. */
const mostMinorsApart = 1;

/**
 * True for the same major number and minor numbers at most one apart, so that nodes are upgraded one by one. Unparseable versions match
 * only themselves.
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
