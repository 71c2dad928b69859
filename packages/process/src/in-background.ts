// Runs work that no caller awaits. Promises of this process are detached only through this function, so that failures are logged and never
// unhandled.
import type { Log } from './log.ts';

/** Runs `work` detached. @param what log message for a failure, for operators. */
export function inBackground(work: Promise<unknown>, log: Log, what: string): void {
  work.catch((error: unknown) => log.error({ err: error }, what));
}
