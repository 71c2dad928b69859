import type { Packet } from '@srs-stack/media/packet.ts';
import { audio, video } from '@srs-stack/media/testing/media.ts';
import { expect, it } from 'vitest';
import { PartCutter } from './part-cutter.ts';

interface Cut {
  readonly isDiscontinuous: boolean;
  readonly kinds: string;
  readonly parts: { durationMs: number; isIndependent: boolean; bytes: number }[];
  durationMs: number | undefined;
}

function cut(packets: Iterable<Packet>, finishes = false) {
  const cuts: Cut[] = [];
  const targets: number[] = [];
  const cutter = new PartCutter(
    {
      onSegmentStart: ({ isDiscontinuous, tracks }) =>
        cuts.push({ isDiscontinuous, kinds: tracks.map(({ kind }) => kind).join(), parts: [], durationMs: undefined }),
      onPart: ({ data, durationMs, isIndependent }) =>
        cuts.at(-1)!.parts.push({ durationMs, isIndependent, bytes: data.length }),
      onSegmentEnd: (durationMs) => {
        cuts.at(-1)!.durationMs = durationMs;
      },
      onPartTarget: (partTargetMs) => targets.push(partTargetMs),
    },
    () => ({ announcesVideo: true }),
  );
  for (const packet of packets) cutter.push(packet);
  if (finishes) cutter.finish();
  return { cuts, targets, cutter };
}

function* frames(fromMs: number, untilMs: number, { stepMs = 40, gopMs = 2_000, bytes = 8 } = {}): Generator<Packet> {
  for (let time = fromMs; time < untilMs; time += stepMs) {
    yield video(time, { keyframe: (time - fromMs) % gopMs === 0, bytes });
  }
}
function* audioPackets(fromMs: number, untilMs: number): Generator<Packet> {
  for (let time = fromMs; time < untilMs; time += 20) yield audio(time);
}
const byTime = (...parts: Iterable<Packet>[]) =>
  parts.flatMap((part) => [...part]).sort((left, right) => left.dtsMs - right.dtsMs);

it('emits a part with its last frame, not with the next one', () => {
  const { cuts } = cut(byTime(frames(0, 1_280), audioPackets(0, 1_280)));
  expect(cuts[0]!.parts.map(({ durationMs }) => durationMs)).toEqual([320, 320, 320, 320]);
});

it('makes audio-only parts while the video stalls, none too long', () => {
  const { cuts, targets } = cut(byTime(frames(0, 4_000), audioPackets(0, 9_000), frames(9_000, 12_000)));
  const durations = cuts.flatMap(({ parts }) => parts.map(({ durationMs }) => durationMs));
  expect(Math.max(...durations)).toBeLessThanOrEqual(targets[0]!);
  expect(durations.length).toBeGreaterThan(30);
});

it('omits a silent track from the next segment, and includes it again when it returns', () => {
  const { cuts } = cut(byTime(frames(0, 16_000), audioPackets(0, 3_000), audioPackets(13_000, 16_000)));
  expect([...new Set(cuts.map(({ kinds }) => kinds))]).toEqual(['video,audio', 'video']);
  expect(cuts.at(-1)!.kinds).toBe('video,audio');
  expect(cuts.filter(({ isDiscontinuous }) => isDiscontinuous)).toHaveLength(2);
});

it('ends a segment whose timestamps stall, and a part that is late', () => {
  const still = Array.from({ length: 40 }, () => video(5_000, { bytes: 1024 * 1024 }));
  const { cuts } = cut([...frames(0, 5_000, { bytes: 1024 }), ...still, ...frames(5_040, 6_000)]);
  expect(cuts.filter(({ durationMs }) => durationMs !== undefined).length).toBeGreaterThan(2);
  expect(cuts.every(({ parts }) => parts.every(({ durationMs }) => durationMs >= 1))).toBe(true);
});

it('is discontinuous after a break, and waits for a keyframe', () => {
  const { cuts, cutter } = cut(frames(0, 3_000), true);
  for (const packet of frames(50_000, 54_000)) cutter.push({ ...packet, dtsMs: packet.dtsMs + 10 } as Packet);
  expect(cuts.map(({ isDiscontinuous }) => isDiscontinuous).slice(0, 3)).toEqual([false, false, true]);
  expect(cuts.every(({ parts }) => parts[0]?.isIndependent !== false)).toBe(true);
});
