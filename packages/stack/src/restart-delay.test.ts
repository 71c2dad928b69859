import { expect, test } from 'vitest';
import { createRestartDelay } from './restart-delay.ts';

test('failed starts wait from 100 ms, doubling to at most 10 s', () => {
  const delay = createRestartDelay();
  const delays = Array.from({ length: 9 }, () => delay.next(undefined, 0));
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

test('a server that had been serving is restarted immediately, however often it exits', () => {
  const delay = createRestartDelay();
  expect(Array.from({ length: 20 }, () => delay.next(1_000, 0))).toEqual(Array(20).fill(0));
});

test('a server that exits as soon as it is ready is down for at most a second', () => {
  const delay = createRestartDelay();
  const delays = Array.from({ length: 6 }, () => delay.next(5, 0));
  expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

test('resets after a run that served', () => {
  const delay = createRestartDelay();
  delay.next(undefined, 0);
  delay.next(undefined, 0);
  delay.next(60_000, 0);
  expect(delay.next(undefined, 0)).toBe(100);
});

test('randomness shortens a delay by at most a fifth', () => {
  expect(createRestartDelay().next(undefined, 0.999)).toBe(80);
});
