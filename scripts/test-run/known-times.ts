// Duration of each test file when the table was last written (`npm test -- --times`). Used only for the start order, longest first, and for
// the estimate of the remaining time: a wrong or missing entry fails no test.
import { readFileSync, writeFileSync } from 'node:fs';
import type { FileTime } from './run-report.ts';

const tablePath = new URL('known-times.json', import.meta.url);
/** Assumed for a file that is not in the table, seconds: most are short, except those with a product and a browser, and `.long` ones. */
const unknownSeconds = 1;
const unknownEndToEndSeconds = 40;
const unknownLongSeconds = 120;
/** Minimum duration of a file that is listed in the table, seconds. */
const shortestListedSeconds = 2;

type Table = Readonly<Record<string, number>>;

function readTable(): Table {
  try {
    return JSON.parse(readFileSync(tablePath, 'utf8')) as Table;
  } catch {
    return {};
  }
}

/** Returns a lookup of known durations, seconds. @param file as in `FileTime`. */
export function knownTimes(table: Table = readTable()): (file: string) => number {
  const assumed = (file: string) => {
    if (file.includes('.long.test.')) return unknownLongSeconds;
    return file.startsWith('e2e') ? unknownEndToEndSeconds : unknownSeconds;
  };
  return (file) => table[file] ?? assumed(file);
}

/** Like `knownTimes`, but by the path of a file from the checkout. */
export function knownTimesByPath(table: Table = readTable()): (path: string) => number {
  const secondsOf = knownTimes(table);
  const names = new Map(Object.keys(table).map((name) => [name.replace(/^\S+ /, ''), name]));
  return (path) => secondsOf(names.get(path) ?? path);
}

/** Replaces the rows of these files and keeps the others. */
export function updateTable(before: Table, times: readonly FileTime[]): Table {
  const rows = new Map(Object.entries(before));
  for (const { file, seconds } of times) {
    if (seconds >= shortestListedSeconds) rows.set(file, Math.round(seconds));
    else rows.delete(file);
  }
  return Object.fromEntries([...rows].sort(([a], [b]) => a.localeCompare(b)));
}

export function keepTimes(times: readonly FileTime[]): void {
  writeFileSync(tablePath, `${JSON.stringify(updateTable(readTable(), times), null, 2)}\n`);
}

/** Lines of `seconds file`, longest first. */
export function describeTimes(times: readonly FileTime[]): string[] {
  return [...times]
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
