import { expect, test } from 'vitest';
import { spanOf, timeFormatOf } from './formats.ts';

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
