import { describe, expect, it } from 'vitest';
import { LadderWatch } from './ladder-watch.ts';

function looks(watch: LadderWatch, { fromMs = 0, count = 15, speed = 1, viewers = 0, pictureShare = 1 } = {}): number {
  let nowMs = fromMs;
  for (let index = 0; index < count; index++) {
    nowMs = fromMs + index * 2_000;
    watch.look({ viewers, sentMs: 5_000_000 + (nowMs - fromMs) * speed, pictureShare }, nowMs);
  }
  return nowMs;
}

describe('state of a ladder', () => {
  it('is idle since the last viewer or request', () => {
    const watch = new LadderWatch(0);
    const nowMs = looks(watch, { viewers: 1 });
    expect(watch.idleMs(nowMs + 5_000)).toBe(5_000);
    watch.ask(nowMs + 5_000);
    expect(watch.idleMs(nowMs + 6_000)).toBe(1_000);
  });

  it('detects that the ladder keeps up', () => {
    const watch = new LadderWatch(0);
    const nowMs = looks(watch);
    expect(watch.speed).toBe(1);
    expect(watch.isTooSlow(nowMs)).toBe(false);
  });

  it.each([{ speed: 0.8 }, { pictureShare: 0.5 }])('is too slow after a while: %o', (how) => {
    const watch = new LadderWatch(0);
    looks(watch, { ...how, count: 5 });
    expect(watch.isTooSlow(8_000)).toBe(false);
    const nowMs = looks(watch, { ...how, fromMs: 10_000 });
    expect(watch.isTooSlow(nowMs)).toBe(true);
  });

  it('resets with another process', () => {
    const watch = new LadderWatch(0);
    const nowMs = looks(watch, { speed: 0.5 });
    expect(watch.sendsForMs(nowMs)).toBeGreaterThan(0);
    watch.look({ viewers: 0, sentMs: 0, pictureShare: 1 }, 40_000);
    expect(watch.speed).toBe(0);
    expect(watch.isTooSlow(60_000)).toBe(false);
    expect(watch.sendsForMs(60_000)).toBe(0);
    for (const [sentMs, atMs] of [
      [100, 61_000],
      [900, 63_000],
    ] as const)
      watch.look({ viewers: 0, sentMs, pictureShare: 1 }, atMs);
    expect(watch.sendsForMs(64_000)).toBe(3_000);
    watch.look({ viewers: 0, sentMs: 50, pictureShare: 1 }, 65_000);
    expect(watch.sendsForMs(66_000)).toBe(1_000);
  });
});
