import { keyframe, video } from '@srs-stack/media/testing/media.ts';
import { describe, expect, it } from 'vitest';
import { ByteRate } from './byte-rate.ts';
import { StreamStats } from './stream-stats.ts';

describe('StreamStats', () => {
  it('keeps a bitrate per second, for at most a minute', () => {
    const stats = new StreamStats(0);
    for (let second = 1; second <= 70; second++) {
      stats.received.bytes += 125 * second;
      stats.tick(second * 1000);
    }
    expect(stats.bitrateHistoryKbps).toHaveLength(60);
    expect(stats.bitrateHistoryKbps[0]).toBe(11);
    expect(stats.bitrateHistoryKbps.at(-1)).toBe(70);
  });

  it('averages frames over five seconds and keyframe intervals over the last ones', () => {
    const stats = new StreamStats(0);
    for (let i = 0; i < 250; i++) {
      stats.countPacket(i % 50 === 0 ? keyframe(i * 40) : video(i * 40), i * 40);
      if (i % 25 === 24) stats.tick((i + 1) * 40);
    }
    expect(stats.fps).toBe(25);
    expect(stats.keyframeIntervalMs).toBe(2000);
    expect(stats.frames).toBe(250);
  });

  it('spreads bytes over the seconds that a late tick covers', () => {
    const stats = new StreamStats(0);
    stats.received.bytes = 1000;
    stats.tick(4000);
    expect(stats.bitrateHistoryKbps).toEqual([2, 2, 2, 2]);
  });
});

describe('ByteRate', () => {
  it('is the mean since the start at first and of about 30 s later', () => {
    const rate = new ByteRate(0);
    rate.bytes = 1000;
    expect(rate.kbps(1000)).toBe(8);
    for (let t = 1000; t <= 120_000; t += 1000) {
      rate.bytes += 125_000;
      rate.tick(t);
    }
    expect(rate.kbps(120_000)).toBe(1000);
    for (let t = 121_000; t <= 160_000; t += 1000) rate.tick(t);
    expect(rate.kbps(160_000)).toBe(0);
  });
});
