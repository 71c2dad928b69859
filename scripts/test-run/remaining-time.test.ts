import { expect, test } from 'vitest';
import { createRemainingTime } from './remaining-time.ts';

const plan = [
  { name: 'a', seconds: 60, workers: 2 },
  { name: 'b', seconds: 60, workers: 2 },
  { name: 'alone', seconds: 40, workers: 1 },
];

test('starts with the known durations of the files', () => {
  expect(createRemainingTime(plan).estimate(0)).toBe(100);
  expect(createRemainingTime([]).estimate(5)).toBe(0);
});

test('doubles for the rest on a machine of half the speed', () => {
  const remaining = createRemainingTime(plan);
  remaining.done('a');
  expect(remaining.estimate(60)).toBe(140);
  remaining.done('b');
  remaining.done('alone');
  expect(remaining.estimate(200)).toBe(0);
});

test('ignores a file that is not planned', () => {
  const remaining = createRemainingTime(plan);
  remaining.done('another');
  expect(remaining.estimate(0)).toBe(100);
});
