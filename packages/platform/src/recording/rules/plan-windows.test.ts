import { dayMs, minuteMs } from '@srs-stack/contract/zoned-time.ts';
import { expect, test } from 'vitest';
import { windowNotOver } from './plan-windows.ts';

type Times = Parameters<typeof windowNotOver>[0];
const weekly = (days: number[], start: string, end: string, zone = 'Europe/Berlin'): Times => ({
  ...{ repeat: 'weekly', days, date: '', start, end, zone },
});

const text = (times: Times, at: string) => {
  const window = windowNotOver(times, Date.parse(at));
  const minute = (atMs: number) => new Date(atMs).toISOString().slice(0, 16);
  return window ? `${minute(window.fromMs)} ${minute(window.toMs)}` : 'none';
};

test('the current or next weekly window is found before, during and after a window', () => {
  const service = weekly([7], '10:00', '11:30');
  expect(text(service, '2026-01-14T12:00Z')).toBe('2026-01-18T09:00 2026-01-18T10:30');
  expect(text(service, '2026-01-18T10:29:59Z')).toBe('2026-01-18T09:00 2026-01-18T10:30');
  expect(text(service, '2026-01-18T10:30Z')).toBe('2026-01-25T09:00 2026-01-25T10:30');
});

test('a window over midnight belongs to the day of its start, and equal times are 24 hours', () => {
  const night = weekly([5], '22:00', '06:00');
  expect(text(night, '2026-01-17T04:00Z')).toBe('2026-01-16T21:00 2026-01-17T05:00');
  expect(text(night, '2026-01-17T05:00Z')).toBe('2026-01-23T21:00 2026-01-24T05:00');
  expect(text(weekly([1], '00:00', '00:00'), '2026-01-14T00:00Z')).toBe('2026-01-18T23:00 2026-01-19T23:00');
});

test('a single window is over after its end', () => {
  const once: Times = { ...weekly([], '20:00', '22:00'), repeat: 'once', date: '2026-07-01' };
  expect(text(once, '2026-01-01T00:00Z')).toBe('2026-07-01T18:00 2026-07-01T20:00');
  expect(text(once, '2026-07-01T19:59Z')).toBe('2026-07-01T18:00 2026-07-01T20:00');
  expect(text(once, '2026-07-01T20:00Z')).toBe('none');
});

test.each([
  [
    'a start that does not exist begins at the change',
    '02:30',
    '05:00',
    '2026-03-28',
    '2026-03-29T01:00 2026-03-29T03:00',
  ],
  [
    'a window that does not exist still has its length',
    '02:15',
    '02:45',
    '2026-03-28',
    '2026-03-29T01:00 2026-03-29T01:45',
  ],
  ['an end that does not exist is not too early', '01:00', '02:30', '2026-03-28', '2026-03-29T00:00 2026-03-29T01:30'],
  [
    'a start that exists twice begins with the first',
    '02:30',
    '05:00',
    '2026-10-24',
    '2026-10-25T00:30 2026-10-25T04:00',
  ],
  [
    'an end that exists twice ends with the second',
    '01:00',
    '02:30',
    '2026-10-24',
    '2026-10-24T23:00 2026-10-25T01:30',
  ],
])('when clocks change, %s', (_, start, end, before, expected) => {
  expect(text(weekly([7], start, end), `${before}T12:00Z`)).toBe(expected);
});

/** Local time by a different formatter than the tested code uses. */
function clockOf(zone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (atMs: number) => {
    const [, day = '', time = ''] = /^(\w+),? (\d\d:\d\d)$/.exec(format.format(atMs)) ?? [];
    return { day: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(day) + 1, time };
  };
}

test.each([
  ['Europe/Berlin', '01:30', '02:30'],
  ['America/New_York', '01:15', '03:00'],
  ['Australia/Lord_Howe', '02:00', '02:20'],
  ['Asia/Shanghai', '09:00', '17:45'],
])('a year in %s, every five minutes: the plan follows local time', (zone, start, end) => {
  const days = [1, 3, 7];
  const times = weekly(days, start, end, zone);
  const wall = clockOf(zone);
  const begin = Date.parse('2026-01-01T00:00Z');
  let [extra, recorded] = [0, 0];
  let window = windowNotOver(times, begin);
  for (let atMs = begin; atMs < begin + 365 * dayMs; atMs += 5 * minuteMs) {
    const { day, time } = wall(atMs);
    const isWanted = days.includes(day) && start <= time && time < end;
    if (window && atMs >= window.toMs) window = windowNotOver(times, atMs);
    const isRecorded = window !== undefined && window.fromMs <= atMs;
    if (isWanted && !isRecorded) expect.fail(`not recorded: ${new Date(atMs).toISOString()} ${time}`);
    recorded += isRecorded ? 1 : 0;
    extra += isRecorded && !isWanted ? 1 : 0;
  }
  expect(recorded).toBeGreaterThan(500);
  // Windows differ only at the two clock changes, each by at most an hour.
  expect(extra).toBeLessThanOrEqual(24);
});
