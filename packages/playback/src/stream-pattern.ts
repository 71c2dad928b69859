// Matches stream patterns: `app/stream` with `*` for any characters, including `/`. Pure.

/** True when the pattern matches the stream. Takes linear time in the length of the name for each `*`. */
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
 * Orders patterns from most to least specific: names without `*` first, then by the number of literal characters, then alphabetically. The
 * result does not depend on the order of saving.
 */
export function comparePatterns(a: string, b: string): number {
  return rank(b) - rank(a) || (a < b ? -1 : Number(a !== b));
}

/** Rank of a pattern without `*`: larger than the number of characters of any pattern. */
const wholeName = 1_000_000;

function rank(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : wholeName;
}
