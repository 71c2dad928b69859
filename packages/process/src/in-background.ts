// Work that no caller awaits. Detach promises of this process only through this: failures are logged, never unhandled.
import type { Log } from './log.ts';

/** Runs `work` detached. @param what log message for a failure, in operators' terms. */
export function inBackground(work: Promise<unknown>, log: Log, what: string): void {
  work.catch((error: unknown) => log.error({ err: error }, what));
}
