// Delay before a server that exited is started again. Pure: time and randomness are parameters.

/** First delay after a failed start, milliseconds. */
const firstDelayMs = 100;
/** Longest delay for a server that never became ready, milliseconds; restarts then cost little. */
const longestDelayMs = 10_000;
/**
 * Longest delay for a server that became ready and exited soon, milliseconds; short, so that a client that can crash it cannot keep it
 * down.
 */
const longestAfterReadyMs = 1_000;
/** Run time after which a server is restarted immediately, milliseconds. */
const provenMs = 1_000;
/** Random share of the delay, so that servers do not restart simultaneously. */
const jitterShare = 0.2;

export interface RestartDelay {
  /**
   * Delay until the next start, milliseconds. `servedMs`: time since the server became ready; undefined if it never did. `random`: 0 to
   * less than 1.
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
