// Wall clock times of an IANA time zone as instants, and back. Pure; the rules of zones come from the runtime.

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A day of the calendar, as the number of days since 1970-01-01. */
export type DayNumber = number;

/** Clocks change at quarters of an hour, milliseconds. */
const quarterMs = 15 * minuteMs;
/** Offsets that are kept per zone: of about half a year. */
const maxOffsets = 20_000;

const offsets = new Map<string, Map<number, number>>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether the runtime knows the zone, e.g. `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The day that the calendar of the zone shows at an instant. */
export function dayAt(zone: string, instantMs: number): DayNumber {
  return Math.floor((instantMs + offsetMs(zone, instantMs)) / dayMs);
}

/** 1 (Monday) to 7 (Sunday). */
export function weekdayOf(day: DayNumber): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/**
 * The instant at which clocks of the zone show that time. A time that is skipped moves forward by the length of the gap; of a time that
 * occurs twice, the first one counts.
 */
export function instantOf(zone: string, day: DayNumber, minuteOfDay: number): number {
  const wanted = day * dayMs + minuteOfDay * minuteMs;
  const before = offsetMs(zone, wanted - dayMs);
  const after = offsetMs(zone, wanted + dayMs);
  const candidates = [wanted - before, wanted - after].filter((at) => at + offsetMs(zone, at) === wanted);
  return candidates.length > 0 ? Math.min(...candidates) : wanted - before;
}

/** What clocks of the zone are ahead of UTC. */
function offsetMs(zone: string, instantMs: number): number {
  const quarter = Math.floor(instantMs / quarterMs);
  const known = offsets.get(zone)?.get(quarter);
  if (known !== undefined) return known;
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  if (ofZone.size >= maxOffsets) ofZone.clear();
  offsets.set(zone, ofZone);
  const offset = readOffsetMs(zone, instantMs);
  ofZone.set(quarter, offset);
  return offset;
}

function readOffsetMs(zone: string, instantMs: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1000) * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const digits = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', ...digits });
  formats.set(zone, format);
  return format;
}
