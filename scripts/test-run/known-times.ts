// Known duration of each test file, from the last runs with `--times`. The durations determine the start order (longest first) and
// the estimate of the remaining time. They also determine which files still fit into a time-limited run. A wrong or missing entry fails no
// test.
import { readFileSync, writeFileSync } from 'node:fs';
import type { FileTime } from './run-report.ts';

const tablePath = new URL('known-times.json', import.meta.url);
/**
 * Assumed duration of a file that is not in the table, seconds. Most files are short, except `.long` files and files with a product and a
 * browser.
 */
const unknownSeconds = 1;
const unknownEndToEndSeconds = 40;
const unknownLongSeconds = 120;
/** Minimum duration of a file in the table, seconds. */
const shortestListedSeconds = 2;

type Table = Readonly<Record<string, number>>;

function readTable(): Table {
  try {
    return JSON.parse(readFileSync(tablePath, 'utf8')) as Table;
  } catch {
    return {};
  }
}

/** Returns a function for the known duration of a file, seconds. @param file as in `FileTime`. */
export function knownTimes(table: Table = readTable()): (file: string) => number {
  const assumed = (file: string) => {
    if (file.includes('.long.test.')) return unknownLongSeconds;
    return file.startsWith('e2e') ? unknownEndToEndSeconds : unknownSeconds;
  };
  return (file) => table[file] ?? assumed(file);
}

/** Like `knownTimes`, but for paths relative to the checkout. */
export function knownTimesByPath(table: Table = readTable()): (path: string) => number {
  const secondsOf = knownTimes(table);
  const names = new Map(Object.keys(table).map((name) => [name.replace(/^\S+ /, ''), name]));
  return (path) => secondsOf(names.get(path) ?? path);
}

/** Returns the table with new rows for these files, without files shorter than `shortestListedSeconds`. Other rows are kept. */
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

/** Returns lines of the form `seconds file`, longest first. */
export function describeTimes(times: readonly FileTime[]): string[] {
  return [...times]
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
