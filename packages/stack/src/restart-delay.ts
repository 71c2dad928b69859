// How long to wait before a server that ended is started again. Pure: time and chance are parameters.

/** First delay after a start that came to nothing, milliseconds. */
const firstDelayMs = 100;
/** Longest delay: a server that cannot run costs little while an operator reads the log. */
const longestDelayMs = 10_000;
/** Longest delay for a server that got ready and ended soon: whoever can end it must not also keep it away, milliseconds. */
const longestAfterReadyMs = 1_000;
/** A server that served this long has not failed to start: it is started again at once, milliseconds. */
const provenMs = 1_000;
/** Share of the delay that is random, so that servers do not restart in step. */
const jitterShare = 0.2;

export interface RestartDelay {
  /** Milliseconds until the next start; `servedMs` is undefined for a run that never got ready, `random` is in [0, 1). */
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
