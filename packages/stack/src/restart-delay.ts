// Delay before a server that exited starts again. Pure: time and randomness are parameters.

const firstDelayMs = 100;
/** Maximum delay for a server that never became ready, milliseconds. Restarts at this interval cost little. */
const longestDelayMs = 10_000;
/**
 * Maximum delay for a server that exited soon after it became ready, milliseconds. It is short, so that a client that can crash the server
 * cannot keep it down.
 */
const longestAfterReadyMs = 1_000;
/** Minimum time since readiness of a server that is restarted immediately when it exits, milliseconds. */
const provenMs = 1_000;
/** Random share of the delay, which prevents simultaneous restarts of several servers. */
const jitterShare = 0.2;

export interface RestartDelay {
  /**
   * Delay until the next start, milliseconds.
   * @param servedMs time since the server became ready; undefined if it never was ready.
   * @param random 0 to less than 1.
   */
  next(servedMs: number | undefined, random?: number): number;
}

export function createRestartDelay(): RestartDelay {
  let failures = 0;
  return {
    next(servedMs, random = Math.random()) {
      if (servedMs !== undefined && servedMs >= provenMs) {
        failures = 0;
        return 0;
      }
      const longestMs = servedMs === undefined ? longestDelayMs : longestAfterReadyMs;
      const delayMs = Math.min(longestMs, firstDelayMs * 2 ** failures);
      failures += 1;
      return Math.round(delayMs * (1 - jitterShare * random));
    },
  };
}
