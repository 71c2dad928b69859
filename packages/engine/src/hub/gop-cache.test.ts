import { audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { describe, expect, it } from 'vitest';
import { GopCache } from './gop-cache.ts';

const limits = { maxBytes: 1000, maxDurationMs: 10_000 };

function timesIn(cache: GopCache): number[] {
  return cache.contents.map(({ dtsMs }) => dtsMs);
}

describe('GopCache', () => {
  it('holds everything since the last keyframe, including audio', () => {
    const cache = new GopCache(limits);
    for (const packet of [keyframe(0), audio(10), video(40), keyframe(80), audio(90), video(120)]) cache.push(packet);
    expect(timesIn(cache)).toEqual([80, 90, 120]);
  });

  it('keeps nothing that a decoder could not start with', () => {
    const cache = new GopCache(limits);
    for (const packet of [video(0), audio(10), video(40)]) cache.push(packet);
    expect(cache.contents).toEqual([]);
  });

  it('keeps the last second of an audio-only stream', () => {
    const cache = new GopCache(limits);
    for (let t = 0; t <= 5000; t += 100) cache.push(audio(t));
    expect(timesIn(cache)[0]).toBe(4000);
    expect(timesIn(cache).at(-1)).toBe(5000);
  });

  it('drops audio that came before the video', () => {
    const cache = new GopCache(limits);
    for (const packet of [audio(0), audio(20), keyframe(40)]) cache.push(packet);
    expect(timesIn(cache)).toEqual([40]);
  });

  it('drops a GOP beyond its bytes until the next keyframe', () => {
    const cache = new GopCache(limits);
    cache.push(keyframe(0, { bytes: 600 }));
    cache.push(video(40, { bytes: 600 }));
    cache.push(video(80));
    expect(cache.contents).toEqual([]);
    expect(cache.bytes).toBe(0);
    cache.push(keyframe(120, { bytes: 100 }));
    expect(timesIn(cache)).toEqual([120]);
    expect(cache.bytes).toBe(100);
  });

  it('drops a GOP beyond its duration', () => {
    const cache = new GopCache({ maxBytes: 1e6, maxDurationMs: 1000 });
    for (const packet of [keyframe(0), video(900), video(1100), video(1200)]) cache.push(packet);
    expect(cache.contents).toEqual([]);
  });
});
