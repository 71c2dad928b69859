import { expect, it } from 'vitest';
import { attendedClock } from './attended-clock.ts';

it('excludes the time in which the process stalled, and only that', () => {
  let nowMs = 1_000;
  const clock = attendedClock(() => nowMs);
  const passing = (ms: number): number => {
    nowMs += ms;
    return clock();
  };
  expect([passing(0), passing(250), passing(250), passing(500)]).toEqual([1_000, 1_250, 1_500, 2_000]);
  expect(passing(20_000)).toBe(2_000);
  expect(passing(250)).toBe(2_250);
});
