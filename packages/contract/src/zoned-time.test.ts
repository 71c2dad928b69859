import { expect, test } from 'vitest';
import { dayMs, instantsOf, isTimeZone, minuteMs, toLocalMs } from './zoned-time.ts';

const instants = (zone: string, local: string) => {
  const { firstMs, lastMs } = instantsOf(zone, Date.parse(`${local}Z`));
  const text = (atMs: number) => new Date(atMs).toISOString().slice(0, 16);
  return firstMs === lastMs ? text(firstMs) : `${text(firstMs)} ${text(lastMs)}`;
};

test.each([
  ['Europe/Berlin', '2026-01-15T20:00', '2026-01-15T19:00'],
  ['Europe/Berlin', '2026-07-15T20:00', '2026-07-15T18:00'],
  // The last minute before the clock change, and the first minute after it.
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
  // A skipped local time: the instant of the clock change, and the instant with the UTC offset from before the change.
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00 2026-03-29T01:30'],
  // This local time occurs twice.
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30 2026-10-25T01:30'],
  ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:00 2026-03-08T07:30'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30 2026-11-01T06:30'],
  // Daylight saving time shifts clocks by half an hour.
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30 2026-10-03T15:45'],
  ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45 2026-04-04T15:15'],
  ['Asia/Kolkata', '2026-06-01T00:00', '2026-05-31T18:30'],
  ['Asia/Shanghai', '2026-06-01T08:00', '2026-06-01T00:00'],
  ['UTC', '2026-06-01T08:00', '2026-06-01T08:00'],
])('in %s a clock shows %s at %s', (zone, local, expected) => {
  expect(instants(zone, local)).toBe(expected);
});

test('every 45 minutes of a year, the instant is found again from its local time', () => {
  for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    const begin = Date.parse('2026-01-01T00:00Z');
    for (let atMs = begin; atMs < begin + 366 * dayMs; atMs += 45 * minuteMs) {
      const { firstMs, lastMs } = instantsOf(zone, toLocalMs(zone, atMs));
      if (atMs !== firstMs && atMs !== lastMs) expect.fail(`${zone} ${new Date(atMs).toISOString()}`);
    }
  }
});

test('only zones that exist are time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Europe/Nowhere', '', '../etc'].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
