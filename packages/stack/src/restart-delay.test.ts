import { expect, test } from 'vitest';
import { createRestartDelay } from './restart-delay.ts';

test('doubles from 100 ms to at most 10 s', () => {
  const delay = createRestartDelay();
  const delays = Array.from({ length: 9 }, () => delay.next(0, 0));
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

test('starts over after a healthy run', () => {
  const delay = createRestartDelay();
  delay.next(0, 0);
  delay.next(0, 0);
  expect(delay.next(10_000, 0)).toBe(100);
});

test('chance shortens a delay by at most a fifth', () => {
  expect(createRestartDelay().next(0, 0.999)).toBe(80);
});
