// Work that nobody waits for. The one way to let go of a promise in this process: a failure is logged, never unhandled.
import type { Log } from './log.ts';

/** Lets `work` go on beside the caller. @param what says in the log what failed, in the words of an operator. */
export function inBackground(work: Promise<unknown>, log: Log, what: string): void {
  work.catch((error: unknown) => log.error({ err: error }, what));
}
