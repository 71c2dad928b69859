// Runs work that no caller awaits. Failures are logged, so no rejection is unhandled.
import type { Log } from './log.ts';

/** Runs `work` detached. @param what log message for a failure. */
export function inBackground(work: Promise<unknown>, log: Log, what: string): void {
  work.catch((error: unknown) => log.error({ err: error }, what));
}
