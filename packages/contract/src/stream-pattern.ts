// The grammar of stream patterns: `app/stream`, with `*` for any characters.
import { maxNameLength } from './limits.ts';

/** Maximum length of a pattern, characters: app, slash and stream. */
export const maxStreamPatternLength = 2 * maxNameLength + 1;

const form = /^[\p{L}\p{N}_.*/-]+$/u;

/** Accepts `live/*`, `live/x` and `*`. A pattern without `*` needs an app before the last slash. */
export function isValidStreamPattern(pattern: string): boolean {
  if (pattern.length > maxStreamPatternLength || !form.test(pattern) || pattern.includes('**')) return false;
  return pattern.includes('*') || /^[^/].*\/[^/]+$/.test(pattern);
}
