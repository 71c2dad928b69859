import { collectGarbage } from '@srs-stack/process/garbage-collector.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openLoopFigures } from './loop-figures.ts';

/** Longer than any pause that a busy machine makes by itself would have to be for the test to pass without it, milliseconds. */
const blockedMs = 300;

it('reports a turn that blocks the event loop, and garbage collections', async () => {
  const figures = openLoopFigures(100);
  onTestFinished(() => figures.close());
  await vi.waitFor(() => expect(figures.current().windows).not.toEqual([]));
  const until = performance.now() + blockedMs;
  while (performance.now() < until);
  collectGarbage('all');
  await vi.waitFor(() => {
    const { windows, gcCount, gcMs } = figures.current();
    expect(Math.max(...windows.map((window) => window.delayMaxMs))).toBeGreaterThan(blockedMs / 2);
    expect(windows.some((window) => window.gcMaxMs > 0)).toBe(true);
    expect(gcCount).toBeGreaterThan(0);
    expect(gcMs).toBeGreaterThan(0);
  });
  const { windows } = figures.current();
  expect(windows.every((window) => window.delayP99Ms <= window.delayMaxMs)).toBe(true);
});
