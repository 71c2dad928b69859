// The grammar of stream patterns: `app/stream`, with `*` for any characters.
import { maxNameLength } from './limits.ts';

/** Longest pattern, characters: an app, a slash and a stream. */
export const maxStreamPatternLength = 2 * maxNameLength + 1;

const form = /^[\p{L}\p{N}_.*/-]+$/u;

/** `live/*`, `live/x`, `*`: characters of stream names and `*`. A pattern without `*` needs an app before the last slash. */
export function isValidStreamPattern(pattern: string): boolean {
  if (pattern.length > maxStreamPatternLength || !form.test(pattern) || pattern.includes('**')) return false;
  return pattern.includes('*') || /^[^/].*\/[^/]+$/.test(pattern);
}
