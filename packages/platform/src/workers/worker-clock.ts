// Time as a worker sees it.
import { setTimeout as sleep } from 'node:timers/promises';

/** Tests move it by hand. */
export interface WorkerClock {
  nowMs(): number;
  /** Resolves after the time, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: WorkerClock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
};
