// Days of the calendar of a time zone. Pure.
import { dayMs, instantsOf, minuteMs, toLocalMs } from '@srs-stack/contract/zoned-time.ts';

/** A calendar day as the number of days since 1970-01-01. */
export type DayNumber = number;

/** The calendar day of the zone at an instant. */
export function dayAt(zone: string, instantMs: number): DayNumber {
  return Math.floor(toLocalMs(zone, instantMs) / dayMs);
}

/** Day of the week: 1 (Monday) to 7 (Sunday). */
export function weekdayOf(day: DayNumber): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/**
 * The instant of a local time. A time skipped by a clock change moves forward by the length of the gap. Of a repeated time, the first
 * instant counts.
 */
export function instantOf(zone: string, day: DayNumber, minuteOfDay: number): number {
  const localMs = day * dayMs + minuteOfDay * minuteMs;
  const { firstMs, lastMs } = instantsOf(zone, localMs);
  return toLocalMs(zone, firstMs) === localMs ? firstMs : lastMs;
}
