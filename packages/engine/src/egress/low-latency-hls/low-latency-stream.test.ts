import { describe, expect, it } from 'vitest';
import { SegmentMemory } from '../hls/segment-memory.ts';
import { LowLatencyStream } from './low-latency-stream.ts';

const segmentMs = 2_000;
const key = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };

/** A stream that receives complete segments of 2 s, and a clock that advances with them. */
function openStream(segmentBytes = 100) {
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
  const add = () => {
    stream.onSegmentStart({
      ...{ initSegment: Buffer.from('init'), tracks: [], isDiscontinuous: false },
      shownAtMs: now,
    });
    stream.onPart({ data: Buffer.alloc(segmentBytes), durationMs: segmentMs, isIndependent: true });
    now += segmentMs;
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
    while (stream.end.mediaSequence < 1 || lists(0) || !has(0)) add();
    const longestMs = 32_000;
    for (let ms = segmentMs; ms < longestMs + segmentMs; ms += segmentMs) {
      add();
      expect(has(0)).toBe(true);
    }
    add();
    expect([has(0), has(1)]).toEqual([false, true]);
  });

  it('of a stream that is no longer watched stays for the duration of the earlier, longer playlist', () => {
    const { stream, add, has, lists } = openStream();
    stream.isWatched = true;
    for (let count = 0; count < 15; count++) add();
    expect(lists(0)).toBe(true);
    stream.isWatched = false;
    add();
    expect([lists(0), lists(12), lists(13)]).toEqual([false, false, true]);
    for (let count = 0; count < 16; count++) add();
    expect(has(0)).toBe(true);
    add();
    expect(has(12)).toBe(false);
  });
});

it('shortens the playlist of a high bitrate, and keeps the removed segments for as long as the playlist', () => {
  const { stream, memory, add } = openStream(4 * 1024 * 1024);
  stream.isWatched = true;
  for (let count = 0; count < 40; count++) add();
  expect(
    stream
      .playlistBody('', false)
      .toString()
      .match(/#EXTINF/g),
  ).toHaveLength(8);
  expect(memory.bytes).toBeLessThanOrEqual(76 * 1024 * 1024);
  expect(memory.bytes).toBeGreaterThan(64 * 1024 * 1024);
});
