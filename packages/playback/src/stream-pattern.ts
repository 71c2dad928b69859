// Matches stream patterns: `app/stream` with `*` for any characters, including `/`. Pure.

/** True when the pattern matches the stream. For each `*` the time is linear in the length of the name. */
export function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const [first = ''] = parts;
  if (parts.length === 1) return name === first;
  const last = parts[parts.length - 1]!;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/**
 * Orders patterns from most to least specific: names without `*`, then by number of literal characters, then alphabetically. The result is
 * independent of the order in which patterns were saved.
 */
export function comparePatterns(a: string, b: string): number {
  return rank(b) - rank(a) || (a < b ? -1 : Number(a !== b));
}

/** Rank of a pattern without `*`, higher than the character count of any pattern. */
const wholeName = 1_000_000;

function rank(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : wholeName;
}
