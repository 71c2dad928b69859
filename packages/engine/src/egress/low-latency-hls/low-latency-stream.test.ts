import { describe, expect, it } from 'vitest';
import { SegmentMemory } from '../hls/segment-memory.ts';
import { LowLatencyStream } from './low-latency-stream.ts';

const segmentMs = 2_000;
const key = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };

/** A stream that receives complete segments of 2 s, and a clock that advances with each. */
function openStream(usualBytes = 100, advanceMs = segmentMs) {
  let now = 0;
  const memory = new SegmentMemory(1e9);
  const stream = new LowLatencyStream({
    stream: {
      key,
      publisher: undefined,
      viewFor: () => ({ announcesVideo: true, video: undefined, audio: undefined }),
      undeliverableAudio: () => undefined,
    },
    ...{ memory, clock: () => now, wallClock: () => now, run: 'r' },
  });
  const add = (segmentBytes = usualBytes) => {
    stream.onSegmentStart({
      ...{ initSegment: Buffer.from('init'), tracks: [], isDiscontinuous: false },
      shownAtMs: now,
    });
    stream.onPart({ data: Buffer.alloc(segmentBytes), durationMs: segmentMs, isIndependent: true });
    now += advanceMs;
    stream.onSegmentEnd(segmentMs);
    stream.sweep(now);
  };
  const has = (number: number) => stream.findFile({ stream: 'show', run: 'r', kind: 'segment', number }) !== undefined;
  const lists = (number: number) => stream.playlistBody('', false).includes(`show.ll.r.${number}.m4s`);
  return { stream, memory, add, has, lists };
}

describe('a removed segment', () => {
  it('stays available for its duration and that of the longest playlist that listed it', () => {
    const { stream, add, has, lists } = openStream();
    stream.isWatched = true;
    for (let count = 0; count < 16; count++) add();
    expect([lists(0), lists(1), has(0)]).toEqual([false, true, true]);
    for (let count = 0; count < 16; count++) add();
    expect(has(0)).toBe(true);
    add();
    expect([has(0), has(1)]).toEqual([false, true]);
  });

  it.each([
    ['is no longer watched', { isWatched: false, segmentBytes: 100 }],
    ['has a much higher bitrate now', { isWatched: true, segmentBytes: 16 * 1024 * 1024 }],
  ])(
    'stays for the duration of an earlier, longer playlist when the stream %s',
    (_change, { isWatched, segmentBytes }) => {
      const { stream, add, has, lists } = openStream();
      stream.isWatched = true;
      for (let count = 0; count < 15; count++) add();
      expect(lists(0)).toBe(true);
      stream.isWatched = isWatched;
      for (let count = 0; count < 3; count++) add(segmentBytes);
      expect(lists(9)).toBe(false);
      for (let count = 0; count < 14; count++) add();
      expect(has(9)).toBe(true);
      for (let count = 0; count < 3; count++) add();
      expect(has(9)).toBe(false);
    },
  );

  it('is dropped when media arrives faster than real time', () => {
    const { stream, add, has } = openStream(100, 0);
    stream.isWatched = true;
    for (let count = 0; count < 100; count++) add();
    expect([has(100 - 15 - 33), has(100 - 15 - 32)]).toEqual([false, true]);
  });
});

it('shortens the playlist of a high bitrate, and keeps the removed segments for as long as the playlist', () => {
  const { stream, memory, add } = openStream(4 * 1024 * 1024);
  stream.isWatched = true;
  for (let count = 0; count < 40; count++) add();
  const text = stream.playlistBody('', false).toString();
  expect(text.match(/#EXTINF/g)).toHaveLength(8);
  expect(memory.bytes / 1024 ** 2).toBeGreaterThan(64);
  expect(memory.bytes / 1024 ** 2).toBeLessThanOrEqual(76);
});
