// Which releases may run beside each other in one cluster. Pure.

/** Releases whose minor numbers differ by more do not know each other's rows, calls and announcements. */
const mostMinorsApart = 1;

/** Same major number, and minor numbers one apart at most: an upgrade goes node by node. Unreadable versions fit only themselves. */
export function areFitting(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  if (!a || !b) return one === other;
  return a.major === b.major && Math.abs(a.minor - b.minor) <= mostMinorsApart;
}

function numbersOf(version: string): { major: number; minor: number } | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
