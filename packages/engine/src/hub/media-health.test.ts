import type { Packet } from '@srs-stack/media/packet.ts';
import { audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { describe, expect, it } from 'vitest';
import { MediaHealth, nothingYet } from './media-health.ts';

interface Arrival {
  readonly packet: Packet;
  readonly atMs: number;
}

/** Passes arrivals in order of time, and calls `tick` every 250 ms like the engine. */
function feed(arrivals: readonly Arrival[], readTotals = () => nothingYet): MediaHealth {
  const health = new MediaHealth(0);
  let tickedMs = 0;
  for (const { packet, atMs } of arrivals) {
    for (; tickedMs + 250 <= atMs; tickedMs += 250) health.tick(tickedMs + 250, readTotals);
    health.count(packet, atMs);
  }
  return health;
}

/** 25 fps video and audio that arrive on time, changed by `change`. */
function steady(seconds: number, change: (atMs: number) => number = (atMs) => atMs): Arrival[] {
  return Array.from({ length: seconds * 25 }, (_, i) => {
    const dtsMs = i * 40;
    const frame = i % 50 === 0 ? keyframe(dtsMs) : video(dtsMs);
    const atMs = change(dtsMs);
    return [
      { packet: frame, atMs },
      { packet: audio(dtsMs), atMs },
    ];
  }).flat();
}

describe('media health', () => {
  it('of a steady stream has nothing to report', () => {
    const health = feed(steady(20)).snapshot(19_960, 25);
    expect(health).toMatchObject({
      silentMs: 0,
      videoSilentMs: 0,
      audioSilentMs: 0,
      longestGapMs: 40,
      arrivalSpreadMs: 0,
      audioOffsetMs: 0,
      keyframeAgeMs: 1960,
      hasKeyframe: true,
      hasBFrames: false,
      declaredFps: 25,
      recentRepairs: 0,
    });
    expect(health.videoKbps).toBeGreaterThan(health.audioKbps);
  });

  it('measures the jitter of the arrival against the media clock', () => {
    const held = feed(steady(20, (atMs) => Math.ceil(atMs / 800) * 800));
    expect(held.snapshot(20_000, 0).arrivalSpreadMs).toBe(760);
    expect(held.snapshot(20_000, 0).longestGapMs).toBe(800);
  });

  it('remembers a pause for a minute and counts a running one', () => {
    const paused = steady(20, (atMs) => (atMs < 5000 ? atMs : atMs + 2000));
    expect(feed(paused).snapshot(22_000, 0).longestGapMs).toBe(2040);
    const long = steady(70, (atMs) => (atMs < 5000 ? atMs : atMs + 2000));
    expect(feed(long).snapshot(72_000, 0).longestGapMs).toBe(40);
    expect(feed(steady(2)).snapshot(5000, 0)).toMatchObject({ silentMs: 3040, longestGapMs: 3040 });
  });

  it('reports the offset of audio and video, and how long audio was missing', () => {
    const late = steady(10).map(({ packet, atMs }) =>
      packet.track.kind === 'audio' ? { packet: audio(packet.dtsMs - 1500), atMs } : { packet, atMs },
    );
    expect(feed(late).snapshot(10_000, 0).audioOffsetMs).toBe(-1500);
    const ended = steady(10).filter(({ packet, atMs }) => packet.track.kind === 'video' || atMs < 4000);
    expect(feed(ended).snapshot(9960, 0)).toMatchObject({ audioSilentMs: 6000, videoSilentMs: 0 });
  });

  it('counts dropped messages of the last minute by kind', () => {
    const health = new MediaHealth(0);
    health.countDropped('video');
    health.countDropped('other');
    health.tick(1000, () => nothingYet);
    health.countDropped('video');
    expect(health.snapshot(1500, 0)).toMatchObject({
      recentDroppedVideo: 2,
      recentDroppedAudio: 0,
      recentDroppedOther: 1,
    });
    for (let second = 2; second <= 61; second++) health.tick(second * 1000, () => nothingYet);
    expect(health.snapshot(61_000, 0)).toMatchObject({ recentDroppedVideo: 1, recentDroppedOther: 0 });
  });

  it('detects a stream without keyframes, and reports the age of the last one', () => {
    const none = feed(Array.from({ length: 100 }, (_, i) => ({ packet: video(i * 40), atMs: i * 40 })));
    expect(none.snapshot(4000, 0)).toMatchObject({ hasKeyframe: false, keyframeAgeMs: 3960 });
  });

  it('detects B-frames by their order, not by a constant composition time', () => {
    const shown = [80, 200, 120, 160];
    const reordered = shown.map((ptsMs, i) => video(i * 40, { compositionMs: ptsMs - i * 40 }));
    const delayed = shown.map((_, i) => video(i * 40, { compositionMs: 80 }));
    const healthOf = (packets: Packet[]) => feed(packets.map((packet) => ({ packet, atMs: packet.dtsMs })));
    expect(healthOf(reordered).snapshot(200, 0).hasBFrames).toBe(true);
    expect(healthOf(delayed).snapshot(200, 0).hasBFrames).toBe(false);
  });

  it('sums repairs and losses of the last minute', () => {
    let calls = 0;
    const readTotals = () => {
      calls++;
      return { timestampRepairs: Math.min(calls, 5), lostPackets: calls * 10, missingPackets: calls };
    };
    const health = feed(steady(90), readTotals).snapshot(90_000, 0);
    expect(health).toMatchObject({ recentRepairs: 0, recentLostPackets: 600, recentMissingPackets: 60 });
  });
});
