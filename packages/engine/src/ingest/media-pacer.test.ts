import { audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { expect, it } from 'vitest';
import { MediaPacer } from './media-pacer.ts';

function play(pacer: MediaPacer, fromMs: number, untilMs: number): string[] {
  const seen: string[] = [];
  for (let now = fromMs; now <= untilMs; ) {
    const { packets, nextMs } = pacer.release(now);
    for (const { dtsMs } of packets) seen.push(`${dtsMs}@${Math.round(now)}`);
    if (nextMs === undefined) break;
    now += Math.max(nextMs, 1);
  }
  return seen;
}

it('a burst is passed on at the pace of its timestamps', () => {
  const pacer = new MediaPacer();
  for (const dts of [7_000, 7_040, 7_500]) pacer.push(video(dts), 100);
  expect(play(pacer, 100, 1_000)).toEqual(['7000@100', '7040@140', '7500@600']);
});

it('audio that arrives after later video is not held back further', () => {
  const pacer = new MediaPacer();
  pacer.push(video(1_000), 0);
  pacer.push(video(1_200), 0);
  pacer.push(audio(900), 0);
  expect(play(pacer, 0, 1_000)).toEqual(['1000@0', '1200@200', '900@200']);
});

it('after a pause media continues at its pace, not in a burst', () => {
  const pacer = new MediaPacer();
  pacer.push(video(0), 0);
  expect(play(pacer, 0, 10)).toEqual(['0@0']);
  for (const dts of [40, 80]) pacer.push(video(dts), 5_000);
  expect(play(pacer, 5_000, 6_000)).toEqual(['40@5000', '80@5040']);
});

it('a packet that arrives early waits for its time, also when nothing else waits', () => {
  const pacer = new MediaPacer();
  pacer.push(video(0), 0);
  expect(play(pacer, 0, 10)).toEqual(['0@0']);
  pacer.push(video(1_000), 100);
  expect(play(pacer, 100, 2_000)).toEqual(['1000@1000']);
});

it('timestamps that jump, forward or back, continue after a frame', () => {
  const pacer = new MediaPacer();
  for (const dts of [0, 90_000_000, 90_000_040, 5]) pacer.push(video(dts), 0);
  expect(play(pacer, 0, 1_000)).toEqual(['0@0', '90000000@40', '90000040@80', '5@120']);
});

it('is full at four queued seconds, and continues below that', () => {
  const pacer = new MediaPacer();
  for (let dts = 0; dts <= 4_100; dts += 100) pacer.push(video(dts), 0);
  expect(pacer.isFull(0)).toBe(true);
  pacer.release(200);
  expect(pacer.isFull(200)).toBe(false);
});

it('is full by bytes when the timestamps stall', () => {
  const pacer = new MediaPacer();
  const large = { ...keyframe(0), payload: Buffer.alloc(33 * 1024 * 1024) };
  pacer.push(video(0), 0);
  pacer.push({ ...large, dtsMs: 1 }, 0);
  expect(pacer.isFull(0)).toBe(true);
});

it('catches up a tenth faster while the source waits', () => {
  const pacer = new MediaPacer();
  pacer.isBehind = true;
  for (const dts of [0, 1_100]) pacer.push(video(dts), 0);
  expect(play(pacer, 0, 2_000)).toEqual(['0@0', '1100@1000']);
});

it('frames of a few bytes that are all due at once are limited too', () => {
  const pacer = new MediaPacer();
  const tiny = { ...video(0), payload: Buffer.of(1) };
  let count = 0;
  for (; count < 1_000_000 && !pacer.isFull(0); count++) pacer.push(tiny, 0);
  expect(count).toBeLessThan(200_000);
});
