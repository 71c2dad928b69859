import { expect, it } from 'vitest';
import { createReportRateLimit } from './report-rate-limit.ts';

it('passes a burst, then one report per interval with the number of suppressed ones', () => {
  const budget = createReportRateLimit({ burst: 2, intervalMs: 100 });
  const at = 1_700_000_000_000;
  expect([0, 0, 0, 0, 50, 100, 100, 10_000].map((ms) => budget.take(at + ms))).toEqual([
    0,
    0,
    undefined,
    undefined,
    undefined,
    3,
    undefined,
    1,
  ]);
  expect(budget.takeOmitted()).toBe(0);
});

it('keeps its rate when the clock is set back', () => {
  const budget = createReportRateLimit({ burst: 1, intervalMs: 100 });
  expect([1_000, 500, 599, 600].map((ms) => budget.take(ms))).toEqual([0, undefined, undefined, 2]);
});
