import type { Packet } from '@srs-stack/media/packet.ts';
import { audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Timeline } from './timeline.ts';

/** Interleaved 25 fps video and 20 ms audio. @param fromMs first timestamp. @param ms duration, milliseconds. */
function encoder(fromMs: number, ms: number, wrap = Number.POSITIVE_INFINITY): Packet[] {
  const packets: Packet[] = [];
  for (let t = 0; t < ms; t += 20) {
    const at = (offset: number) => (fromMs + t + offset) % wrap;
    if (t % 40 === 0) packets.push(t % 1000 === 0 ? keyframe(at(0)) : video(at(0)));
    packets.push(audio(at(7)));
  }
  return packets;
}

function play(timeline: Timeline, packets: readonly Packet[], startMs = 0): Packet[] {
  return packets.map((packet, index) => timeline.repair(packet, startMs + index * 13.3));
}

function timesOf(packets: readonly Packet[], kind: string): number[] {
  return packets.filter(({ track }) => track.kind === kind).map(({ dtsMs }) => dtsMs);
}

function steps(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - times[index]!);
}

describe('Timeline', () => {
  it('leaves a regular clock unchanged', () => {
    const raw = encoder(0, 2000);
    const timeline = new Timeline();
    const fixed = play(timeline, raw);
    expect(fixed.every((packet, index) => packet === raw[index])).toBe(true);
    expect(timeline.repairs).toBe(0);
  });

  it('moves a clock that starts anywhere near zero and keeps the offset of audio and video', () => {
    const fixed = play(new Timeline(), encoder(3_600_000, 2000));
    expect(timesOf(fixed, 'video')[0]).toBe(1000);
    expect(timesOf(fixed, 'audio')[0]).toBe(1007);
  });

  it.each([24, 31, 32])('continues across a wrap at 2^%i without a step', (bits) => {
    const timeline = new Timeline();
    const fixed = play(timeline, encoder(2 ** bits - 1010, 3000, 2 ** bits));
    expect(new Set(steps(timesOf(fixed, 'video')))).toEqual(new Set([40]));
    expect(new Set(steps(timesOf(fixed, 'audio')))).toEqual(new Set([20]));
    expect(timeline.repairs).toBe(1);
  });

  it.each([
    ['forward by an hour', 3_600_000 + 2000],
    ['back to zero', 0],
    ['back by four seconds', 96_000],
    ['back by a second', 99_000],
  ])('closes a jump %s and keeps audio and video in sync', (_name, to) => {
    const timeline = new Timeline();
    const before = play(timeline, encoder(98_000, 2000));
    const after = play(timeline, encoder(to, 2000), 2000);
    const fixed = [...before, ...after];
    for (const kind of ['video', 'audio']) {
      expect(Math.min(...steps(timesOf(fixed, kind)))).toBeGreaterThanOrEqual(0);
      expect(Math.max(...steps(timesOf(fixed, kind)))).toBeLessThan(100);
    }
    expect(timesOf(after, 'audio')[0]! - timesOf(after, 'video')[0]!).toBe(7);
  });

  it('leaves a track that has not jumped yet on its clock', () => {
    const timeline = new Timeline();
    play(timeline, encoder(50_000, 1000));
    const jumped = timeline.repair(video(5_000_000), 1000);
    const straggler = timeline.repair(audio(51_007), 1001);
    const follower = timeline.repair(audio(5_000_007), 1002);
    expect(straggler.dtsMs).toBeLessThan(jumped.dtsMs + 40);
    expect(follower.dtsMs - jumped.dtsMs).toBe(7);
  });

  it('does not change audio that lags behind the video', () => {
    const timeline = new Timeline();
    const raw = [keyframe(400), audio(100), video(440), audio(120), video(480), audio(140)];
    expect(play(timeline, raw).map(({ dtsMs }) => dtsMs)).toEqual(raw.map(({ dtsMs }) => dtsMs));
    expect(timeline.repairs).toBe(0);
  });

  it('keeps a gap that the wall clock explains', () => {
    const timeline = new Timeline();
    timeline.repair(keyframe(0), 0);
    expect(timeline.repair(keyframe(20_000), 20_000).dtsMs).toBe(20_000);
    expect(timeline.repairs).toBe(0);
  });

  it('moves up a packet with a small step back, and counts it', () => {
    const timeline = new Timeline();
    play(timeline, [keyframe(0), video(40), video(80)]);
    const moved = timeline.repair(video(60), 50);
    expect(moved.dtsMs).toBe(81);
    expect(moved.ptsMs).toBe(81);
    expect(timeline.repairs).toBe(1);
  });

  it('keeps presentation behind decode time for B-frames across a new offset', () => {
    const timeline = new Timeline();
    const [first, second] = play(timeline, [
      keyframe(700_000, { compositionMs: 80 }),
      video(700_040, { compositionMs: 200 }),
    ]);
    expect(first!.ptsMs - first!.dtsMs).toBe(80);
    expect(second!.ptsMs - second!.dtsMs).toBe(200);
  });

  it('continues directly after the last packet when another publisher starts', () => {
    const timeline = new Timeline();
    const before = play(timeline, encoder(0, 2000));
    timeline.restart();
    const after = play(timeline, encoder(777_000, 1000), 5000);
    const last = Math.max(...before.map(({ dtsMs }) => dtsMs));
    expect(after[0]!.dtsMs).toBe(last + 40);
    expect(after[1]!.dtsMs).toBe(last + 47);
  });

  it('supports tracks with separate clocks', () => {
    const timeline = new Timeline();
    const raw = Array.from({ length: 50 }, (_, i) => [video(9_000_000 + i * 40), audio(i * 40)]).flat();
    const fixed = play(timeline, raw);
    expect(Math.max(...steps(timesOf(fixed, 'video')))).toBeLessThanOrEqual(40);
    expect(Math.max(...steps(timesOf(fixed, 'audio')))).toBeLessThanOrEqual(40);
    expect(timeline.repairs).toBeLessThan(3);
  });

  it('returns times that never go back within a track, for any input', () => {
    const anyPacket = fc.record({
      isVideo: fc.boolean(),
      dtsMs: fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 5000 })),
      compositionMs: fc.integer({ min: -1000, max: 1000 }),
      restart: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyPacket, { maxLength: 60 }), (inputs) => {
        const timeline = new Timeline();
        const last = { video: 0, audio: 0 };
        inputs.forEach(({ isVideo, dtsMs, compositionMs, restart }, index) => {
          if (restart && index % 7 === 0) timeline.restart();
          const packet = isVideo ? video(dtsMs, { compositionMs }) : audio(dtsMs);
          const fixed = timeline.repair(packet, index * 10);
          expect(fixed.dtsMs).toBeGreaterThanOrEqual(last[packet.track.kind]);
          expect(fixed.ptsMs).toBeGreaterThanOrEqual(fixed.dtsMs);
          last[packet.track.kind] = fixed.dtsMs;
        });
      }),
      { seed: 20261121 },
    );
  });

  it('keeps an already repaired clock, from any start, also after its publisher restarted', () => {
    const timeline = new Timeline();
    timeline.restart({ keepsClock: true });
    const first = encoder(3_600_000, 2000);
    expect(play(timeline, first).every((packet, index) => packet === first[index])).toBe(true);
    timeline.restart({ keepsClock: true });
    const second = encoder(3_609_000, 2000);
    expect(play(timeline, second, 5_000).every((packet, index) => packet === second[index])).toBe(true);
    expect(timeline.repairs).toBe(0);
  });

  it('continues when a clock that should be kept falls behind the sent time', () => {
    const timeline = new Timeline();
    timeline.restart({ keepsClock: true });
    play(timeline, encoder(3_600_000, 2000));
    timeline.restart({ keepsClock: true });
    const again = timesOf(play(timeline, encoder(0, 2000), 5_000), 'video');
    expect(again[0]).toBeGreaterThan(3_601_900);
    expect(new Set(steps(again))).toEqual(new Set([40]));
  });
});
