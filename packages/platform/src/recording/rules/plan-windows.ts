// Converts times of the recording plan to instants. A window contains every instant whose local time is between start and end. At a clock
// change a window may contain further instants. Pure.
import type { PlanEntry } from '@srs-stack/contract';
import { dayMs, instantsOf, minuteMs, toLocalMs } from '@srs-stack/contract/zoned-time.ts';

export interface PlanWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

type Times = Pick<PlanEntry, 'repeat' | 'days' | 'date' | 'start' | 'end' | 'zone'>;

/** Every weekly entry begins again within this many days. */
const lookAheadDays = 8;

/** The current or next window; undefined when no window follows. */
export function windowNotOver(times: Times, atMs: number): PlanWindow | undefined {
  if (times.repeat === 'once') {
    const window = windowOn(times, Date.parse(times.date));
    return window.toMs > atMs ? window : undefined;
  }
  const today = Math.floor(toLocalMs(times.zone, atMs) / dayMs) * dayMs;
  // Yesterday's window may end today.
  for (let day = -1; day <= lookAheadDays; day++) {
    const midnight = today + day * dayMs;
    if (!times.days.includes(weekday(midnight))) continue;
    const window = windowOn(times, midnight);
    if (window.toMs > atMs) return window;
  }
  return undefined;
}

/** The window of an entry on one day. @param midnight start of the local date, milliseconds, converted as if the zone were UTC. */
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
