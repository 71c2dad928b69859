import { delayMs } from '@srs-stack/process/back-off.ts';
import { describe, expect, it } from 'vitest';
import { retryBackOff } from './back-off.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createLogRing } from './log-ring.ts';
import { createMask } from './mask.ts';
import { createUsageMeter } from './process-usage.ts';
import { maxOddBlocks, maxPauseMs, StallWatch, stallMs } from './stall-watch.ts';

describe('back-off', () => {
  it('doubles to a cap, with jitter on both sides', () => {
    const delays = (random: number) => [1, 2, 3, 4, 5, 6, 50].map((n) => delayMs(retryBackOff, n, () => random));
    expect(delays(0.5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(delays(0)[0]).toBe(800);
    expect(delays(1)[6]).toBe(36_000);
  });
});

describe('the stall watch', () => {
  const seconds = (n: number) => n * 1_000_000;

  it('requires media time to advance', () => {
    const watch = new StallWatch(0, true);
    expect(watch.check(stallMs - 1)).toBeUndefined();
    watch.onProgress(seconds(1), 5_000);
    watch.onProgress(seconds(1), 9_000);
    expect(watch.check(5_000 + stallMs - 1)).toBeUndefined();
    expect(watch.check(5_000 + stallMs)).toBe('stalled');
  });

  it.each([
    ['too-slow', 0.4],
    ['too-fast', 1.6],
  ])('ends a run that is %s for too long', (reason, speed) => {
    const watch = new StallWatch(0, true);
    const verdicts = Array.from({ length: maxOddBlocks + 2 }, (_, n) =>
      watch.onProgress(seconds(n * speed + 1), n * 1_000),
    );
    expect(verdicts.slice(0, -1).every((verdict) => verdict === undefined)).toBe(true);
    expect(verdicts.at(-1)).toBe(reason);
  });

  it('accepts a faster source if its address allows it', () => {
    const watch = new StallWatch(0, true, 3);
    for (let n = 0; n < maxOddBlocks * 3; n++)
      expect(watch.onProgress(seconds(n * 2.5 + 1), n * 1_000)).toBeUndefined();
  });

  it('tolerates an initial burst and a single outlier', () => {
    const watch = new StallWatch(0, true);
    expect(watch.onProgress(seconds(10), 100)).toBeUndefined();
    for (let n = 1; n < 200; n++) {
      const jump = n % maxOddBlocks === 0 ? 2 : 0;
      expect(watch.onProgress(seconds(10 + n + jump), n * 1_000)).toBeUndefined();
    }
  });

  it('ignores a meaningless speed, and waits for a paused source', () => {
    const free = new StallWatch(0, false);
    for (let n = 0; n < 100; n++) expect(free.onProgress(seconds(n * 9), n * 1_000)).toBeUndefined();
    const pausing = new StallWatch(0, true);
    pausing.pause(60_000);
    expect(pausing.check(60_000 + stallMs - 1)).toBeUndefined();
    expect(pausing.pause(60_000 + maxPauseMs - 1)).toBeUndefined();
    expect(pausing.pause(60_000 + maxPauseMs)).toBe('source-ended');
  });
});

describe('the heartbeat', () => {
  const minute = 60_000;
  const ok = { state: 'running', reason: 'none' } as const;
  const bad = { state: 'retrying', reason: 'timeout' } as const;

  it('keeps the worst state of each minute and fills gaps', () => {
    const heartbeat = createHeartbeat();
    heartbeat.note(ok, 0);
    heartbeat.note(bad, 10_000);
    heartbeat.note(ok, 20_000);
    expect(heartbeat.ticks(3 * minute).map(({ state }) => state)).toEqual([
      'retrying',
      'running',
      'running',
      'running',
    ]);
    expect(heartbeat.ticks(3 * minute)[0]).toEqual({ at: '1970-01-01T00:00:00.000Z', ...bad });
  });

  it('covers an hour, after any time without readings', () => {
    const heartbeat = createHeartbeat();
    heartbeat.note(bad, 0);
    heartbeat.note(ok, 1 * minute);
    const ticks = heartbeat.ticks(10_000 * minute);
    expect(ticks).toHaveLength(60);
    expect(ticks.at(-1)?.at).toBe(new Date(10_000 * minute).toISOString());
    expect(createHeartbeat().ticks(minute)).toEqual([]);
  });
});

describe('the log', () => {
  it('keeps the newest lines and one progress line', () => {
    const ring = createLogRing(() => (text) => text, 3);
    for (const line of ['a', 'b', 'c']) ring.push(line);
    for (const line of ['p1', 'p2', 'p3']) ring.push(line, 'progress');
    expect(ring.lines()).toEqual(['b', 'c', 'p3']);
    ring.push('d');
    ring.push('p4', 'progress');
    expect(ring.lines()).toEqual(['p3', 'd', 'p4']);
  });

  it('masks secrets before it stores a line', () => {
    const mask = createMask(['name?secret=abcdef&key=gh%2Fijkl', 'x']);
    const ring = createLogRing(() => mask);
    ring.push('to rtmp://h/live/name?secret=abcdef&key=gh%2Fijkl and abcdef, gh/ijkl, x');
    expect(ring.lines()).toEqual(['to rtmp://h/live/****** and ******, ******, x']);
  });
});

describe('usage', () => {
  it('is a share of the time between two measurements', () => {
    let facts = { startTicks: 1, cpuMs: 0, rssBytes: 5, isZombie: false };
    const usage = createUsageMeter(1, 0, () => facts);
    facts = { ...facts, cpuMs: 500 };
    expect(usage(2_000)).toEqual({ cpuPercent: 25, rssBytes: 5 });
    facts = { ...facts, cpuMs: 5_000 };
    expect(usage(2_500).cpuPercent).toBe(25);
    expect(createUsageMeter(1, 0, () => undefined)(9_000)).toEqual({ cpuPercent: 0, rssBytes: 0 });
  });
});
