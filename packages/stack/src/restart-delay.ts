// How long to wait before a server that ended is started again. Pure: time and chance are parameters.

/** First delay: short, so that encoders which reconnect after a crash find the door open. */
const firstDelayMs = 100;
/** Longest delay: a server that cannot run costs little while an operator reads the log. */
const longestDelayMs = 10_000;
/** A server that ran this long counts as healthy; the next delay is the first one again. */
const healthyRunMs = 10_000;
/** Share of the delay that is random, so that servers do not restart in step. */
const jitterShare = 0.2;

export interface RestartDelay {
  /** Milliseconds until the next start, after a run of `ranMs`; `random` is in [0, 1). */
  next(ranMs: number, random?: number): number;
}

export function createRestartDelay(): RestartDelay {
  let failures = 0;
  return {
    next(ranMs, random = Math.random()) {
      failures = ranMs >= healthyRunMs ? 0 : failures;
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
      failures += 1;
      return Math.round(delayMs * (1 - jitterShare * random));
    },
  };
}
