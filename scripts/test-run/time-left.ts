// Prevents a test file from starting if, by its known duration, it cannot finish before the end of the run (`TEST_MINUTES`).
import type { FileTime } from './run-report.ts';

/** Minimum known duration of a file that counts for the pace, seconds. */
const shortestJudgedSeconds = 5;
/** Minimum sum of known durations for calculating a pace, seconds. */
const leastKnownSeconds = 60;
/** Minimum assumed pace, because the remaining files may be slower than the measured files. */
const leastPace = 0.5;

/** Response of the admission queue (`admission-server.ts`). */
export type Answer = 'begin' | 'no time';

export const noTimeMessage = 'There is no time left for this test file';

/** Factor from known durations to the durations of this run; 1 if too few durations are known. */
export function paceOf(times: readonly FileTime[], secondsOf: (file: string) => number): number {
  const judged = times.filter(({ file }) => secondsOf(file) >= shortestJudgedSeconds);
  const known = judged.reduce((sum, { file }) => sum + secondsOf(file), 0);
  if (known < leastKnownSeconds) return 1;
  return Math.max(leastPace, judged.reduce((sum, { seconds }) => sum + seconds, 0) / known);
}

/** Whether work with this known duration can finish in time if it starts now. */
export function fitsInto(untilMs: number, knownSeconds: number, pace: number, nowMs = Date.now()): boolean {
  return nowMs + knownSeconds * pace * 1_000 <= untilMs;
}
