import { isTimeZone } from '@srs-stack/contract/zoned-time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAt, instantOf, weekdayOf } from './calendar-days.ts';

const dayMs = 86_400_000;
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs;
const at = (zone: string, date: string, hour: number, minute = 0) =>
  new Date(instantOf(zone, dayOf(date), hour * 60 + minute)).toISOString();

describe('wall clock times of a zone', () => {
  it('moves a skipped time forward by the length of the gap', () => {
    expect(at('Europe/Berlin', '2026-03-29', 2, 30)).toBe('2026-03-29T01:30:00.000Z');
    expect(at('America/New_York', '2026-03-08', 2)).toBe('2026-03-08T07:00:00.000Z');
    expect(at('Australia/Lord_Howe', '2026-10-04', 2, 10)).toBe('2026-10-03T15:40:00.000Z');
  });

  it('uses the first of two equal times', () => {
    expect(at('Europe/Berlin', '2026-10-25', 2, 30)).toBe('2026-10-25T00:30:00.000Z');
    expect(at('America/New_York', '2026-11-01', 1, 30)).toBe('2026-11-01T05:30:00.000Z');
  });

  it('keeps the time of the day across both changes', () => {
    expect(at('Europe/Berlin', '2026-03-28', 20)).toBe('2026-03-28T19:00:00.000Z');
    expect(at('Europe/Berlin', '2026-03-29', 20)).toBe('2026-03-29T18:00:00.000Z');
    expect(at('Europe/Berlin', '2026-10-25', 20)).toBe('2026-10-25T19:00:00.000Z');
    expect(at('Asia/Shanghai', '2026-10-25', 20)).toBe('2026-10-25T12:00:00.000Z');
  });

  it('shows at each instant what the calendar of the runtime shows', () => {
    const zones = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe', 'UTC'];
    const minutes = fc.integer({ min: 0, max: 60 * 24 * 366 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), minutes, (zone, minute) => {
        const day = dayOf('2026-01-01') + Math.floor(minute / 1440);
        const instant = instantOf(zone, day, minute % 1440);
        expect(dayAt(zone, instant)).toBe(day);
        const shown = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(instant);
        const wanted = new Date((minute % 1440) * 60_000).toISOString().slice(11, 16);
        // Only a time that is skipped in spring may become another time.
        if (shown !== wanted) expect(instantOf(zone, day, (minute % 1440) - 120)).toBeLessThan(instant - 3_600_000 - 1);
      }),
    );
  });

  it('knows weekdays and zones', () => {
    expect(weekdayOf(dayOf('2026-11-23'))).toBe(1);
    expect(weekdayOf(dayOf('2026-11-29'))).toBe(7);
    expect(weekdayOf(dayOf('1969-12-31'))).toBe(3);
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });
});
