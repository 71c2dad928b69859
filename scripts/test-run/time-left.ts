// Keeps test files from beginning that cannot end before their run does (`TEST_MINUTES`), by what they are known to take.
import type { FileTime } from './run-report.ts';

/** Shorter files say little of the pace of a machine, seconds. */
const shortestJudgedSeconds = 5;
/** Known seconds without which a pace is not believed. */
const leastKnownSeconds = 60;
/** A run is never judged faster than this: what is left has other work in it. */
const leastPace = 0.5;

/** What the queue of files answers (`admission-server.ts`). */
export type Answer = 'begin' | 'no time';

/** Told instead of a file's tests: the file has not run. */
export const noTimeMessage = 'There is no time left for this file';

/** How many times longer than known the files of a run took: 1 when too few of them are known. */
export function paceOf(times: readonly FileTime[], secondsOf: (file: string) => number): number {
  const judged = times.filter(({ file }) => secondsOf(file) >= shortestJudgedSeconds);
  const known = judged.reduce((sum, { file }) => sum + secondsOf(file), 0);
  if (known < leastKnownSeconds) return 1;
  return Math.max(leastPace, judged.reduce((sum, { seconds }) => sum + seconds, 0) / known);
}

/** Returns whether work of so many known seconds ends in time when it begins now. */
export function fitsInto(untilMs: number, knownSeconds: number, pace: number, nowMs = Date.now()): boolean {
  return nowMs + knownSeconds * pace * 1_000 <= untilMs;
}
