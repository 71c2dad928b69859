// Factor for the timeouts of tests, which is higher with fewer or slower processors. Timeouts only detect hangs, so long timeouts cost
// nothing.
import { availableParallelism } from 'node:os';

/** Number of processors for which timeouts are written. With half as many processors, timeouts are doubled. */
const writtenForProcessors = 4;
/** Encoding speed of two processors on the machine for which timeouts are written, frames per second (`machine-speed.ts`). */
const writtenForFramesPerSecond = 75;
/** Number of Node starts per second on the machine for which timeouts are written. */
const writtenForPrograms = 20;
/** Maximum number of processors that count. With more processors, the encoding speed does not grow proportionally. */
const countedProcessors = 4;
/** Maximum slowness for which timeouts are extended. */
const mostSlowness = 3;

/** Variable in which `npm test` passes the measured slowness factor to the test runner. */
export const slownessVariable = 'TEST_SLOWNESS';
export const slowness = Math.max(1, Number(process.env[slownessVariable] ?? 1));

export const hungPattern = /^(?:Test|Hook) timed out/;

/** Factor of all timeouts, at least 1. Only processors that `taskset` leaves to this process count. */
export const patience = patienceOf(availableParallelism()) * slowness;

export function patienceOf(processors: number): number {
  return Math.max(1, writtenForProcessors / processors);
}

/**
 * Slowness of computing or of starting programs, whichever is higher, from 1 to `mostSlowness`. 1 is the machine for which timeouts are
 * written.
 */
export function slownessOf(framesPerSecond: number, programsPerSecond: number, processors: number): number {
  const usual = (writtenForFramesPerSecond * Math.min(processors, countedProcessors)) / 2;
  return Math.min(mostSlowness, Math.max(1, usual / framesPerSecond, writtenForPrograms / programsPerSecond));
}
