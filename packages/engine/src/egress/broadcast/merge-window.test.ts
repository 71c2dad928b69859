import { describe, expect, it } from 'vitest';
import { MergeWindow } from './merge-window.ts';

interface Result {
  readonly writesPerSecond: number;
  readonly videoWaits: number[];
  readonly audioWaits: number[];
}

/** Simulates ten seconds of 25 fps video and 50 audio packets per second, in steps of one millisecond. */
function simulate(mergeWindowMs: number, viewers: number, kinds = ['video', 'audio']): Result {
  const window = new MergeWindow(mergeWindowMs);
  const waits: Record<string, number[]> = { video: [], audio: [] };
  let waiting: { kind: string; at: number }[] = [];
  let dueAt = Number.POSITIVE_INFINITY;
  let writes = 0;
  for (let now = 0; now < 10_000; now++) {
    const arrived = kinds.filter((kind) => now % (kind === 'video' ? 40 : 20) === (kind === 'video' ? 0 : 11));
    for (const kind of arrived) {
      waiting.push({ kind, at: now });
      const isLeading = kind === 'video' || !kinds.includes('video');
      const delayMs = window.delayOf(isLeading, viewers, now);
      dueAt = delayMs === 0 ? now : Math.min(dueAt, now + delayMs);
    }
    if (now < dueAt || waiting.length === 0) continue;
    window.spend(now);
    writes++;
    for (const { kind, at } of waiting) waits[kind]?.push(now - at);
    waiting = [];
    dueAt = Number.POSITIVE_INFINITY;
  }
  return { writesPerSecond: writes / 10, videoWaits: waits.video!, audioWaits: waits.audio! };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('MergeWindow', () => {
  it('holds nothing back for few viewers', () => {
    const { videoWaits, audioWaits } = simulate(30, 3);
    expect(Math.max(...videoWaits, ...audioWaits)).toBe(0);
  });

  it('holds nothing back when the window is 0, for any number of viewers', () => {
    const { videoWaits, audioWaits } = simulate(0, 5000);
    expect(Math.max(...videoWaits, ...audioWaits)).toBe(0);
  });

  it('writes with the video frames and includes the audio', () => {
    const { writesPerSecond, videoWaits, audioWaits } = simulate(30, 300);
    expect(mean(videoWaits)).toBeLessThan(5);
    expect(Math.max(...audioWaits)).toBeLessThanOrEqual(45);
    expect(writesPerSecond).toBeLessThan(34);
  });

  it('writes less often for very many viewers, with a bounded delay', () => {
    const { writesPerSecond, videoWaits } = simulate(30, 2000);
    expect(writesPerSecond * 2000).toBeLessThan(24_000);
    expect(Math.max(...videoWaits)).toBeLessThanOrEqual(135);
  });

  it('stays close to the configured window', () => {
    const { writesPerSecond } = simulate(100, 1000);
    expect(writesPerSecond).toBeGreaterThan(7);
    expect(writesPerSecond).toBeLessThan(13);
  });

  it('follows audio where there is no video', () => {
    const { writesPerSecond, audioWaits } = simulate(30, 300, ['audio']);
    expect(Math.max(...audioWaits)).toBeLessThanOrEqual(45);
    expect(writesPerSecond).toBeGreaterThan(20);
  });
});
