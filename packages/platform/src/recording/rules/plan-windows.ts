// Converts times of the recording plan to instants. A window covers every instant at which the clock of its zone is between start and end;
// at a clock change it may be longer than planned, never shorter. Pure.
import type { PlanEntry } from '@srs-stack/contract';
import { dayMs, instantsOf, minuteMs, toLocalMs } from '@srs-stack/contract/zoned-time.ts';

export interface PlanWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

type Times = Pick<PlanEntry, 'repeat' | 'days' | 'date' | 'start' | 'end' | 'zone'>;

/** Number of days in which every weekly entry begins again. */
const lookAheadDays = 8;

/** The first window that has not ended at this instant; undefined when there is none. */
export function windowNotOver(times: Times, atMs: number): PlanWindow | undefined {
  if (times.repeat === 'once') {
    const window = windowOn(times, Date.parse(times.date));
    return window.toMs > atMs ? window : undefined;
  }
  const today = Math.floor(toLocalMs(times.zone, atMs) / dayMs) * dayMs;
  // The window of yesterday may end today.
  for (let day = -1; day <= lookAheadDays; day++) {
    const midnight = today + day * dayMs;
    if (!times.days.includes(weekday(midnight))) continue;
    const window = windowOn(times, midnight);
    if (window.toMs > atMs) return window;
  }
  return undefined;
}

/** The window of an entry on one day. @param midnight start of the local date, as if it were UTC (milliseconds). */
function windowOn({ start, end, zone }: Times, midnight: number): PlanWindow {
  const [startMs, endMs] = [clockMs(start), clockMs(end)];
  const endsNextDay = endMs <= startMs;
  const { firstMs: fromMs } = instantsOf(zone, midnight + startMs);
  const { lastMs: toMs } = instantsOf(zone, midnight + endMs + (endsNextDay ? dayMs : 0));
  return { fromMs, toMs };
}

function clockMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
}

/** Day of the week: 1 (Monday) to 7 (Sunday). */
function weekday(midnight: number): number {
  return new Date(midnight).getUTCDay() || 7;
}
