// Selects which files of `npm run test:rest` start first when a run has no time for all: recently changed tests, then five parts in
// rotation. The part whose turn it is starts the rotation.
import { execFileSync } from 'node:child_process';

/** Number of parts, and number of runs after which every file has run. */
export const parts = 5;
/** Number of last commits whose changed tests run first. */
const changedWithin = 10;
/** Maximum total known duration of the changed tests that run first, seconds. */
const mostChangedSeconds = 240;
/** Files with a longer known duration, seconds, fit only at the beginning of a time-limited run. */
const longFileSeconds = 300;
const hourSeconds = 3_600;

export interface TimedFile {
  readonly path: string;
  readonly seconds: number;
}

/**
 * Distributes files over parts of equal duration. Each file, longest first, goes into the part with the least work so far. A new file thus
 * moves only shorter files.
 * @returns the part of each path, from 0.
 */
export function dealt(files: readonly TimedFile[]): ReadonlyMap<string, number> {
  const loads = Array.from({ length: parts }, () => 0);
  const longestFirst = [...files].sort((a, b) => b.seconds - a.seconds || a.path.localeCompare(b.path));
  return new Map(
    longestFirst.map(({ path, seconds }) => {
      const part = loads.indexOf(Math.min(...loads));
      loads[part]! += Math.max(1, seconds);
      return [path, part];
    }),
  );
}

/**
 * Returns the position of each file in the run, from 0: changed tests, the part whose turn it is, then the next parts. Long files of the
 * second part start with the first part.
 */
export function placesOf(
  files: readonly TimedFile[],
  turn: number,
  changed: ReadonlySet<string>,
): (path: string) => number {
  const partOf = dealt(files);
  const first = new Set<string>();
  let left = mostChangedSeconds;
  for (const { path, seconds } of [...files].sort((a, b) => a.seconds - b.seconds)) {
    if (!changed.has(path) || seconds > left) continue;
    left -= seconds;
    first.add(path);
  }
  const long = new Set(files.filter(({ seconds }) => seconds > longFileSeconds).map(({ path }) => path));
  return (path) => {
    if (first.has(path)) return 0;
    const place = 1 + (((partOf.get(path) ?? 0) - (turn % parts) + parts) % parts);
    return place === 2 && long.has(path) ? 1 : place;
  };
}

/**
 * Number of different hours with commits in the history up to HEAD. The number of commits would advance irregularly, because several
 * commits may arrive together. In a shallow clone, returns the hour of the commit.
 */
export function currentTurn(): number {
  const seconds = git('log', '--format=%ct').map(Number);
  const isShallow = git('rev-parse', '--is-shallow-repository')[0] === 'true';
  return isShallow ? Math.floor((seconds[0] ?? 0) / hourSeconds) : turnOf(seconds);
}

/** @param commitTimes seconds since 1970. */
export function turnOf(commitTimes: readonly number[]): number {
  return new Set(commitTimes.map((seconds) => Math.floor(seconds / hourSeconds))).size;
}

/** Files that the last commits changed, as paths from the checkout. */
export function changedFiles(): ReadonlySet<string> {
  return new Set(git('log', `-${changedWithin}`, '--name-only', '--format='));
}

function git(...args: readonly string[]): string[] {
  try {
    const output = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return output.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}
