// Glob patterns for `/{app}/{stream}`. `*` and `?` match within one path part, `[a-z]` and `[^a-z]` are sets, `\` escapes. Matching has no
// exponential backtracking. Pure.
import { AppError, because } from '@srs-stack/contract';

/** Part of a pattern: `any` matches any number of characters except slashes; `one` matches one character that `fits`. */
type Part = { readonly kind: 'any' } | { readonly kind: 'one'; readonly fits: (character: string) => boolean };

/** True if a pattern matches the whole path, or if there are no patterns. */
export function passesFilters(globs: readonly string[], path: string): boolean {
  return globs.length === 0 || globs.some((glob) => matches(glob, path));
}

/** Throws `invalidRequest` with the invalid pattern. */
export function checkFilters(globs: readonly string[]): void {
  for (const glob of globs) parseGlob(glob);
}

function matches(glob: string, path: string): boolean {
  let reached = new Set([0]);
  const parts = parseGlob(glob);
  const characters = [...path];
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) step(part, characters, at, next);
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(characters.length);
}

function step(part: Part, characters: readonly string[], at: number, next: Set<number>): void {
  if (part.kind === 'one') {
    const character = characters[at];
    if (character !== undefined && part.fits(character)) next.add(at + 1);
    return;
  }
  next.add(at);
  for (let end = at; end < characters.length && characters[end] !== '/'; end++) next.add(end + 1);
}

/** Throws `invalidRequest` for an unclosed set, or a backslash at the end. */
function parseGlob(glob: string): Part[] {
  const parts: Part[] = [];
  const characters = [...glob];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (character === '*') parts.push({ kind: 'any' });
    else if (character === '?') parts.push({ kind: 'one', fits: (each) => each !== '/' });
    else if (character === '[') {
      const set = readSet(glob, characters, at + 1);
      parts.push({ kind: 'one', fits: set.fits });
      at = set.end;
    } else {
      if (character === '\\') at++;
      const literal = characters[at];
      if (literal === undefined) throw new AppError('invalidRequest', because('record.filter-backslash', { glob }));
      parts.push({ kind: 'one', fits: (each) => each === literal });
    }
  }
  return parts;
}

/** Reads a set that starts after `[`; `end` is the index of `]`. */
function readSet(
  glob: string,
  characters: readonly string[],
  start: number,
): { fits: (character: string) => boolean; end: number } {
  const isNegated = characters[start] === '^' || characters[start] === '!';
  const ranges: [string, string][] = [];
  let at = isNegated ? start + 1 : start;
  for (; characters[at] !== ']' || ranges.length === 0; at++) {
    const low = characters[at];
    if (low === undefined) throw new AppError('invalidRequest', because('record.filter-bracket', { glob }));
    const hasRange = characters[at + 1] === '-' && characters[at + 2] !== undefined && characters[at + 2] !== ']';
    ranges.push([low, hasRange ? (characters[at + 2] as string) : low]);
    if (hasRange) at += 2;
  }
  const isIn = (each: string) => ranges.some(([low, high]) => low <= each && each <= high);
  return { fits: (each) => each !== '/' && isIn(each) !== isNegated, end: at };
}
