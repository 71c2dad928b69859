import { expect, test } from 'vitest';
import { createRemainingTime } from './remaining-time.ts';

const plan = [
  { name: 'a', seconds: 60, workers: 2 },
  { name: 'b', seconds: 60, workers: 2 },
  { name: 'alone', seconds: 40, workers: 1 },
];

test('before anything is done it is what the files are known to need', () => {
  expect(createRemainingTime(plan).estimate(0)).toBe(100);
  expect(createRemainingTime([]).estimate(5)).toBe(0);
});

test('a machine of half the speed needs twice the time for the rest', () => {
  const remaining = createRemainingTime(plan);
  remaining.done('a');
  expect(remaining.estimate(60)).toBe(140);
  remaining.done('b');
  remaining.done('alone');
  expect(remaining.estimate(200)).toBe(0);
});

test('a file that is not planned changes nothing', () => {
  const remaining = createRemainingTime(plan);
  remaining.done('another');
  expect(remaining.estimate(0)).toBe(100);
});
