import { expect, test } from 'vitest';
import { fitsInto, paceOf } from './time-left.ts';

const known = (file: string) => ({ a: 40, b: 60, short: 2 })[file] ?? 1;

test('calculates the pace from measured and known durations, ignoring short files', () => {
  const times = [
    { file: 'a', seconds: 60 },
    { file: 'b', seconds: 90 },
    { file: 'short', seconds: 40 },
  ];
  expect(paceOf(times, known)).toBe(1.5);
  expect(paceOf(times.slice(0, 1), known)).toBe(1);
  expect(paceOf([], known)).toBe(1);
});

test('starts a file only when it can finish in time at that pace', () => {
  expect(fitsInto(100_000, 40, 2, 20_000)).toBe(true);
  expect(fitsInto(100_000, 41, 2, 20_000)).toBe(false);
  expect(fitsInto(Number.POSITIVE_INFINITY, 4_000, 3, 0)).toBe(true);
});
