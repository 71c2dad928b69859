// Prevents test files from starting that cannot finish before the end of their run (`TEST_MINUTES`), by their known durations.
import type { FileTime } from './run-report.ts';

/** Minimum known duration of a file that counts for the pace of the machine, seconds. */
const shortestJudgedSeconds = 5;
/** Minimum sum of known durations from which a pace is calculated, seconds. */
const leastKnownSeconds = 60;
/** Minimum pace that is assumed: the remaining files may not be as fast as the measured ones. */
const leastPace = 0.5;

/** Response of the admission queue (`admission-server.ts`). */
export type Answer = 'begin' | 'no time';

/** Error message of a file that was not run. */
export const noTimeMessage = 'There is no time left for this test file';

/** How many times longer than known the files of a run took; 1 when too few of them are known. */
export function paceOf(times: readonly FileTime[], secondsOf: (file: string) => number): number {
  const judged = times.filter(({ file }) => secondsOf(file) >= shortestJudgedSeconds);
  const known = judged.reduce((sum, { file }) => sum + secondsOf(file), 0);
  if (known < leastKnownSeconds) return 1;
  return Math.max(leastPace, judged.reduce((sum, { seconds }) => sum + seconds, 0) / known);
}

/** Returns whether work of this many known seconds can finish in time when it starts now. */
export function fitsInto(untilMs: number, knownSeconds: number, pace: number, nowMs = Date.now()): boolean {
  return nowMs + knownSeconds * pace * 1_000 <= untilMs;
}
