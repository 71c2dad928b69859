// The most severe state in each minute of the last hour. A minute without a reading repeats the previous state.
import type { WorkerHeartbeat, WorkerReason, WorkerState } from '@srs-stack/contract';

const minuteMs = 60_000;
const heartbeatMinutes = 60;

/** States in ascending severity. A minute with several states shows the most severe state. */
const severity: readonly WorkerState[] = ['idle', 'stopped', 'starting', 'running', 'waiting', 'retrying', 'error'];

interface Moment {
  readonly state: WorkerState;
  readonly reason: WorkerReason;
}

export interface Heartbeat {
  note(moment: Moment, nowMs: number): void;
  /** Oldest first, at most 60. */
  ticks(nowMs: number): WorkerHeartbeat[];
}

export function createHeartbeat(): Heartbeat {
  const minutes = new Map<number, Moment>();
  let current: Moment | undefined;
  let lastMinute = 0;

  const fillTo = (minute: number) => {
    if (!current) return;
    const from = Math.max(lastMinute + 1, minute - heartbeatMinutes + 1);
    for (let each = from; each <= minute; each++) minutes.set(each, current);
    lastMinute = Math.max(lastMinute, minute);
    for (const each of minutes.keys()) if (each <= minute - heartbeatMinutes) minutes.delete(each);
  };

  return {
    note(moment, nowMs) {
      const minute = Math.floor(nowMs / minuteMs);
      fillTo(minute);
      const before = minutes.get(minute);
      current = moment;
      lastMinute = Math.max(lastMinute, minute);
      if (!before || rank(moment) >= rank(before)) minutes.set(minute, moment);
    },
    ticks(nowMs) {
      fillTo(Math.floor(nowMs / minuteMs));
      return [...minutes].map(([minute, { state, reason }]) => ({
        at: new Date(minute * minuteMs).toISOString(),
        state,
        reason,
      }));
    },
  };
}

function rank({ state }: Moment): number {
  return severity.indexOf(state);
}
