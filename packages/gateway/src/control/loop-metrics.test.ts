import { collectGarbage } from '@srs-stack/process/garbage-collector.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openLoopMetrics } from './loop-metrics.ts';

/** Milliseconds. */
const blockedMs = 100;

it('reports turns that block the event loop, and garbage collections', async () => {
  const meter = openLoopMetrics(500);
  onTestFinished(() => meter.close());
  await vi.waitFor(() => {
    const until = performance.now() + blockedMs;
    while (performance.now() < until);
    collectGarbage('all');
    const { windows, gcCount, gcMs } = meter.current();
    expect(Math.max(...windows.map((window) => window.delayMaxMs))).toBeGreaterThan(blockedMs / 2);
    expect(windows.every((window) => window.delayP99Ms <= window.delayMaxMs)).toBe(true);
    expect(Math.max(...windows.map((window) => window.gcMaxMs))).toBeGreaterThan(0);
    expect(gcCount).toBeGreaterThan(0);
    expect(gcMs).toBeGreaterThan(0);
  });
});
