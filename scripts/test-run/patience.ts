// Factor of the timeouts in tests: longer with fewer or slower processors. Timeouts only detect hangs, so generous ones cost nothing.
import { availableParallelism } from 'node:os';

/** Number of processors for which timeouts are written; with half as many processors, timeouts are doubled. */
const writtenForProcessors = 4;
/** Encoding speed of two processors for which timeouts are written, frames per second: see `machine-speed.ts`. */
const writtenForFramesPerSecond = 75;
/** Starts of Node per second on that machine. */
const writtenForPrograms = 20;
/** Maximum number of processors that count: more do not increase the encoding speed proportionally. */
const countedProcessors = 4;
/** Maximum slowness that is compensated. */
const mostSlowness = 3;

/** `npm test` measures the machine and passes its slowness factor to the test runner in this variable. */
export const slownessVariable = 'TEST_SLOWNESS';
export const slowness = Math.max(1, Number(process.env[slownessVariable] ?? 1));

/** Error message of the test runner for a test or hook that timed out. */
export const hungPattern = /^(?:Test|Hook) timed out/;

/** Factor of all timeouts, at least 1; counts only processors that `taskset` leaves to this process. */
export const patience = patienceOf(availableParallelism()) * slowness;

export function patienceOf(processors: number): number {
  return Math.max(1, writtenForProcessors / processors);
}

/** Slowness relative to the machine that timeouts are written for, 1 to `mostSlowness`: at computing or at starting programs. */
export function slownessOf(framesPerSecond: number, programsPerSecond: number, processors: number): number {
  const usual = (writtenForFramesPerSecond * Math.min(processors, countedProcessors)) / 2;
  return Math.min(mostSlowness, Math.max(1, usual / framesPerSecond, writtenForPrograms / programsPerSecond));
}
