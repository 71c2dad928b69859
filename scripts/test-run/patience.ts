// How long tests wait before they call it a hang: longer where fewer processors share the work. A limit in a test finds hangs only,
// so it costs nothing to be generous.
import { availableParallelism } from 'node:os';

/** For so many processors the limits are as they are written; half of them take twice as long. */
const writtenForProcessors = 4;

/** A factor of all limits, at least 1; what `taskset` leaves to this process counts. */
export const patience = patienceOf(availableParallelism());

export function patienceOf(processors: number): number {
  return Math.max(1, writtenForProcessors / processors);
}
