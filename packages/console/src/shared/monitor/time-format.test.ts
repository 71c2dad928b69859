import { expect, test } from 'vitest';
import { timeFormatOf } from './time-format.ts';

test('times have seconds in a range of five minutes, and a day in a range of a week', () => {
  const atMs = new Date(2026, 0, 2, 3, 4, 5).getTime();
  expect(timeFormatOf('5m', 'en')(atMs)).toBe('03:04:05');
  expect(timeFormatOf('24h', 'en')(atMs)).toBe('03:04');
  expect(timeFormatOf('7d', 'zh-CN')(atMs)).toMatch(/1\/2.*03:04/);
});
