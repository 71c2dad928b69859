import { describe, expect, it } from 'vitest';
import { joinSteps } from './values/viewers.ts';
import {
  addViewerCounts,
  countReport,
  fromRow,
  noViewerCounts,
  quantile,
  toRow,
  toViewerMetrics,
  viewerCountsSince,
  viewerCountsWidth,
} from './viewer-counts.ts';

function counted(...reports: Parameters<typeof countReport>[1][]) {
  const counts = noViewerCounts();
  for (const report of reports) countReport(counts, report);
  return counts;
}

const smooth = { output: 'flv', seconds: 10, bytes: 1_250_000, delay: 0.9, frames: 300 } as const;
const stalling = {
  ...smooth,
  bytes: 250_000,
  stalls: 2,
  stalledSeconds: 4,
  stalledLately: true,
  droppedFrames: 30,
  errors: { stalled: 1 },
} as const;

describe('counts of viewers', () => {
  it('summarize a minute of three smooth viewers and one that stalls', () => {
    const figures = toViewerMetrics(counted(smooth, smooth, smooth, stalling, { ...smooth, join: 0.6 }), 10);
    expect(figures).toMatchObject({ viewers: 5, stalledShare: 0.2, droppedShare: 30 / 1_500 });
    expect(figures.stallsPerHour).toBeCloseTo((2 * 3_600) / 50);
    expect(figures.stalledReceivedBps).toBe(200_000);
    expect(figures.receivedBps).toBeCloseTo(((4 * 1_250_000 + 250_000) * 8) / 50);
  });

  it('are null for values that no player reported', () => {
    const figures = toViewerMetrics(counted({ output: 'hls', seconds: 10 }), 10);
    expect(figures).toMatchObject({ viewers: 1, joinP50: null, receivedBps: null, delayP50: null, droppedShare: null });
    expect(toViewerMetrics(noViewerCounts(), 10)).toMatchObject({
      viewers: 0,
      stalledShare: null,
      stallsPerHour: null,
    });
  });

  it('can be written to a row and read back', () => {
    const counts = counted(smooth, stalling, { ...smooth, join: 30 });
    expect(toRow(counts)).toHaveLength(viewerCountsWidth);
    expect(fromRow(toRow(counts))).toEqual(counts);
  });

  it('can be added, and their difference is what was counted in between', () => {
    const [one, two] = [counted(smooth), counted(smooth, stalling)];
    expect(viewerCountsSince(two, one)).toEqual(counted(stalling));
    expect(viewerCountsSince(one, undefined)).toEqual(one);
    const sum = counted(stalling);
    addViewerCounts(sum, one);
    expect(sum).toEqual(counted(stalling, smooth));
  });

  it('that decrease were reset', () => {
    expect(viewerCountsSince(counted(smooth), counted(smooth, stalling))).toEqual(counted(smooth));
  });
});

describe('percentile of times', () => {
  it.each([
    [[0.1], 0.5, 0.125],
    [[0.6, 0.7, 0.7, 0.7], 1, 0.75],
    [[0.1, 4], 0.95, 3 + 2 * 0.9],
    [[500], 0.5, 20],
    [[], 0.5, undefined],
  ])('of %j, %d is %d', (times, share, expected) => {
    const { joins } = counted(...times.map((join) => ({ ...smooth, join })));
    const found = quantile(joins, joinSteps, share);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(expected);
  });
});
