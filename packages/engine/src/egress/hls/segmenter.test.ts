import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { aacTrack, audio, video } from '@srs-stack/media/testing/media.ts';
import { describe, expect, it } from 'vitest';
import { type AnnouncedTracks, Segmenter } from './segmenter.ts';

interface Cut {
  durationMs: number;
  isDiscontinuous: boolean;
  bytes: number;
}

function segment(
  packets: Iterable<Packet>,
  announced: Partial<AnnouncedTracks> = {},
  fragmentSeconds = 2,
  handOverMs = 250,
) {
  const cuts: Cut[] = [];
  let handedOver = 0;
  let open: Cut | undefined;
  const segmenter = new Segmenter(
    { fragmentSeconds, aofRatio: 2.1 },
    {
      announced: () => ({ video: undefined, audio: undefined, announcesVideo: false, ...announced }),
      handOverMs: () => handOverMs,
      sink: {
        onSegmentStart: (isDiscontinuous) => {
          open = { durationMs: 0, isDiscontinuous, bytes: 0 };
        },
        onSegmentData: (chunks, isWhole) => {
          if (isWhole) handedOver += 1;
          open!.bytes += chunks.reduce((total, { length }) => total + length, 0);
        },
        onSegmentEnd: (durationMs) => cuts.push({ ...open!, durationMs }),
      },
    },
  );
  for (const packet of packets) segmenter.push(packet);
  return { cuts, segmenter, handedOver: () => handedOver, durations: () => cuts.map(({ durationMs }) => durationMs) };
}

function* frames({
  gopMs,
  untilMs,
  stepMs = 40,
  fromMs = 0,
}: {
  gopMs: number;
  untilMs: number;
  stepMs?: number;
  fromMs?: number;
}) {
  for (let time = fromMs; time < untilMs; time += stepMs)
    yield video(time, { keyframe: (time - fromMs) % gopMs === 0 });
}

function* audioOf(untilMs: number, track = aacTrack, fromMs = 0): Generator<Packet> {
  for (let time = fromMs; time < untilMs; time += 20) yield audio(time, { track });
}

describe('Segmenter', () => {
  it('ends the first segment at the first keyframe, the others after the configured length', () => {
    const { durations } = segment(frames({ gopMs: 1000, untilMs: 8040 }));
    expect(durations()).toEqual([1000, 2000, 2000, 2000]);
  });

  it.each([
    [200, 50],
    [400, 25],
  ])('flushes complete frames every %i ms: %i times in ten seconds', (handOverMs, times) => {
    const { handedOver } = segment(frames({ gopMs: 20_000, untilMs: 10_040 }), {}, 20, handOverMs);
    expect(handedOver()).toBe(times);
  });

  it('does not double segments because a 1-ms clock rounded down', () => {
    const rounded = [...frames({ gopMs: 2000, untilMs: 8040 })].map((packet) => {
      const dtsMs = Math.max(0, packet.dtsMs - (packet.keyframe ? 3 * (packet.dtsMs / 2000) : 0));
      return { ...packet, dtsMs };
    });
    expect(segment(rounded).durations()).toEqual([1997, 1997, 1997, 1997]);
  });

  it('ends a segment at each keyframe when keyframes are a minute apart', () => {
    const { durations } = segment(frames({ gopMs: 60_000, untilMs: 120_500, stepMs: 500 }));
    expect(durations()).toEqual([60_000, 60_000]);
  });

  it('does not make a segment of every frame of an all-keyframe stream', () => {
    const { durations } = segment(frames({ gopMs: 40, untilMs: 5000 }));
    expect(durations()[0]).toBe(280);
    expect(durations()[1]).toBe(1920);
  });

  it('cuts audio only by time', () => {
    const { durations } = segment(audioOf(12_000));
    expect(durations()).toEqual([2000, 4200, 4200]);
  });

  it('continues with audio when the video stops, and back', () => {
    const packets = [
      ...frames({ gopMs: 2000, untilMs: 4000 }),
      ...audioOf(14_000, aacTrack, 4000),
      ...frames({ gopMs: 2000, fromMs: 14_000, untilMs: 18_040 }),
    ];
    const { durations } = segment(packets);
    expect(Math.max(...durations())).toBeLessThanOrEqual(6500);
    expect(durations().reduce((total, value) => total + value)).toBe(18_000);
  });

  it('waits for announced video, with a time limit', () => {
    const waiting = segment(audioOf(3000), { announcesVideo: true });
    waiting.segmenter.finish();
    expect(waiting.cuts).toHaveLength(0);
    const silent = segment(audioOf(9000), { announcesVideo: true });
    silent.segmenter.finish();
    expect(silent.durations().reduce((total, value) => total + value)).toBeGreaterThan(4000);
  });

  it('marks another audio format as a discontinuity at the next keyframe', () => {
    const mono = audioTrackFromConfig('aac', Buffer.from('1188', 'hex'));
    const mixed = [...frames({ gopMs: 1000, untilMs: 10_040 }), ...audioOf(5500), ...audioOf(10_000, mono, 5500)].sort(
      (left, right) => left.dtsMs - right.dtsMs,
    );
    const { cuts } = segment(mixed, { audio: aacTrack });
    expect(cuts.map(({ isDiscontinuous }) => isDiscontinuous)).toEqual([false, false, false, false, true, false]);
    expect(cuts.map(({ durationMs }) => durationMs)).toEqual([1000, 2000, 2000, 1000, 2000, 2000]);
  });

  it('restarts after a break', () => {
    const { cuts, segmenter } = segment(frames({ gopMs: 2000, untilMs: 3000 }));
    segmenter.finish();
    for (const packet of frames({ gopMs: 2000, fromMs: 50_000, untilMs: 53_000 })) segmenter.push(packet);
    segmenter.finish();
    expect(cuts.map(({ isDiscontinuous }) => isDiscontinuous)).toEqual([false, false, true, false]);
    expect(cuts.map(({ durationMs }) => durationMs)).toEqual([2000, 1000, 2000, 1000]);
    expect(cuts.every(({ bytes }) => bytes > 0 && bytes % 188 === 0)).toBe(true);
  });

  it('starts only at a keyframe', () => {
    const packets = [...frames({ gopMs: 2000, untilMs: 6040 })].slice(10);
    const { durations } = segment(packets);
    expect(durations()).toEqual([2000, 2000]);
  });
});
