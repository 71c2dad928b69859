import { describe, expect, it } from 'vitest';
import { createMachineMetrics, parseTicks } from './machine-metrics.ts';

describe('metrics of the machine', () => {
  it('count I/O wait as idle, and steal time as busy', () => {
    const text = 'cpu  100 20 30 800 40 5 6 7 0 0\ncpu0 1 2 3 4 5 6 7 8 9 0\nintr 5\n';
    expect(parseTicks(text)).toEqual({ busyTicks: 168, totalTicks: 1_008 });
  });

  it('are undefined without such a line', () => {
    expect(parseTicks('')).toEqual({ busyTicks: 0, totalTicks: 0 });
  });

  it('are plausible shares and byte counts', () => {
    let atMs = 0;
    const look = createMachineMetrics(() => atMs);
    atMs = 1_000;
    const values = look();
    expect(values.machineCpu).toBeGreaterThanOrEqual(0);
    expect(values.machineCpu).toBeLessThanOrEqual(1);
    expect(values.platformCpuCores).toBeGreaterThanOrEqual(0);
    expect(values.usedBytes).toBeLessThan(values.totalBytes);
    expect(values.platformBytes).toBeGreaterThan(1_000_000);
  });
});
