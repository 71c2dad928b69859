// Derives the displayed state of a worker from its row and the time. Pure.
import type { WorkerHeartbeat, WorkerReason, WorkerState } from '@srs-stack/contract';
import type { StatusState } from '../../ui/status-badge.tsx';

/**
 * `inactive`: disabled. `waiting`: enabled without media. `active`: media flows. `retrying`: failed and restarts automatically. `failed`:
 * retries, but needs the operator.
 */
export type WorkerPhase = 'inactive' | 'waiting' | 'active' | 'retrying' | 'failed';

export interface WorkerFacts {
  enabled: boolean;
  state: WorkerState;
  reason: WorkerReason;
  retryInMs: number;
  frame?: { log: string; update: string } | undefined;
}

export function workerPhase({ enabled, state, frame }: WorkerFacts): WorkerPhase {
  if (!enabled) return 'inactive';
  if (state === 'retrying') return 'retrying';
  if (state === 'error') return 'failed';
  return frame !== undefined && frame.log !== '' ? 'active' : 'waiting';
}

export const badgeOfPhase: Record<WorkerPhase, StatusState> = {
  inactive: 'stopped',
  waiting: 'connecting',
  active: 'live',
  retrying: 'retrying',
  failed: 'error',
};

/** Whole seconds until the next attempt; 0 when due. @param ageMs age of the row. */
export function retryInSeconds(retryInMs: number, ageMs: number): number {
  return Math.max(0, Math.ceil((retryInMs - Math.max(0, ageMs)) / 1000));
}

/** Reason for a failed or waiting task; undefined without a problem. */
export function shownReason(facts: WorkerFacts): WorkerReason | undefined {
  const phase = workerPhase(facts);
  if (facts.reason === 'none' || phase === 'inactive' || phase === 'active') return undefined;
  return facts.reason;
}

/** Displayed state of a minute. `none`: no record yet. */
export type HeartbeatLook = 'none' | 'off' | 'waiting' | 'good' | 'retrying' | 'failed';

export function heartbeatLook(state: WorkerState | undefined): HeartbeatLook {
  if (state === undefined) return 'none';
  if (state === 'running') return 'good';
  if (state === 'retrying') return 'retrying';
  if (state === 'error') return 'failed';
  return state === 'waiting' || state === 'starting' ? 'waiting' : 'off';
}

export const heartbeatMinutes = 60;

/** The last 60 minutes, oldest first. Each record is placed by its own time; other minutes are undefined. */
export function heartbeatSlots(heartbeat: readonly WorkerHeartbeat[], nowMs: number): (WorkerHeartbeat | undefined)[] {
  const slots = Array.from<WorkerHeartbeat | undefined>({ length: heartbeatMinutes });
  const thisMinute = Math.floor(nowMs / 60_000);
  for (const beat of heartbeat) {
    const index = heartbeatMinutes - 1 - (thisMinute - Math.floor(Date.parse(beat.at) / 60_000));
    if (index >= 0 && index < heartbeatMinutes) slots[index] = beat;
  }
  return slots;
}

/** Number of minutes per state, for screen readers. */
export function heartbeatSummary(slots: readonly (WorkerHeartbeat | undefined)[]): Record<HeartbeatLook, number> {
  const summary = { none: 0, off: 0, waiting: 0, good: 0, retrying: 0, failed: 0 };
  for (const beat of slots) summary[heartbeatLook(beat?.state)] += 1;
  return summary;
}
