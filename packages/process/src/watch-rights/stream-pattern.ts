// Patterns of streams, `app/stream` with `*` for any characters, `/` included. Pure.

/** True when the pattern stands for the stream. Never slower than a few looks at each letter per `*`. */
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
 * Orders patterns so that the most specific one that matches comes first: whole names before patterns, then by the number of
 * letters that are said, then alphabetically, so that the order never depends on who saved first.
 */
export function comparePatterns(a: string, b: string): number {
  return rank(b) - rank(a) || (a < b ? -1 : Number(a !== b));
}

/** Beyond any number of letters that a pattern may have. */
const wholeName = 1_000_000;

function rank(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : wholeName;
}
