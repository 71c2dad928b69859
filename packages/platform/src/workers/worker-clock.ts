import { setTimeout as sleep } from 'node:timers/promises';

/** The clock of a worker: real or simulated time. */
export interface WorkerClock {
  nowMs(): number;
  /** Resolves after the time, or immediately when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: WorkerClock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
};
