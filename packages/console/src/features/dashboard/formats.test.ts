import { expect, test } from 'vitest';
import { formatRate, spanOf, timeFormatOf } from './formats.ts';

test.each([
  [0, '0 bps'],
  [999, '999 bps'],
  [1_500, '1.5 kbps'],
  [2_440_000, '2.4 Mbps'],
  [250_000_000, '250 Mbps'],
  [12e9, '12 Gbps'],
])('%d bits per second are written %s', (value, text) => expect(formatRate(value, 'en')).toBe(text));

test.each([
  [59, { unit: 'minutes', first: 0, second: 0 }],
  [3_700, { unit: 'hours', first: 1, second: 1 }],
  [273_600, { unit: 'days', first: 3, second: 4 }],
])('%d seconds are %j', (seconds, span) => expect(spanOf(seconds)).toEqual(span));

test('moments have seconds in five minutes and a day in a week', () => {
  const atMs = new Date(2026, 0, 2, 3, 4, 5).getTime();
  expect(timeFormatOf('5m', 'en')(atMs)).toBe('03:04:05');
  expect(timeFormatOf('24h', 'en')(atMs)).toBe('03:04');
  expect(timeFormatOf('7d', 'zh-CN')(atMs)).toMatch(/1\/2.*03:04/);
});
