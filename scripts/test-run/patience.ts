// How long tests wait before they call it a hang: longer where fewer or slower processors share the work. A limit in a test finds
// hangs only, so it costs nothing to be generous.
import { availableParallelism } from 'node:os';

/** For so many processors the limits are as they are written; half of them take twice as long. */
const writtenForProcessors = 4;
/** What two processors of the machine encode for which the limits are written, frames per second: see `machine-speed.ts`. */
const writtenForFramesPerSecond = 75;
/** Starts of Node per second there. */
const writtenForPrograms = 20;
/** More of them do not encode that much faster. */
const countedProcessors = 4;
/** The slowest machine that is reckoned with. */
const mostSlowness = 3;

/** `npm test` measures the machine and tells its test runner here how many times slower than usual it is. */
export const slownessVariable = 'TEST_SLOWNESS';
export const slowness = Math.max(1, Number(process.env[slownessVariable] ?? 1));

/** What the test runner says of a test or hook that reached its limit. */
export const hungPattern = /^(?:Test|Hook) timed out/;

/** A factor of all limits, at least 1; what `taskset` leaves to this process counts. */
export const patience = patienceOf(availableParallelism()) * slowness;

export function patienceOf(processors: number): number {
  return Math.max(1, writtenForProcessors / processors);
}

/** How many times slower the machine is than the one the limits are written for, 1 to `mostSlowness`: at computing or at starting programs. */
export function slownessOf(framesPerSecond: number, programsPerSecond: number, processors: number): number {
  const usual = (writtenForFramesPerSecond * Math.min(processors, countedProcessors)) / 2;
  return Math.min(mostSlowness, Math.max(1, usual / framesPerSecond, writtenForPrograms / programsPerSecond));
}
