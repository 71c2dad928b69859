import { AppError } from '@srs-stack/contract';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createDiskWatch } from './disk-room.ts';
import { checkFilters, passesFilters } from './rules/name-filter.ts';
import { writePlaylist } from './segments/playlist-text.ts';
import { readSegmentMedia } from './segments/segment-media.ts';
import { parseSegmentName, type RecordedSegment, runOf, writeSegmentName } from './segments/segment-name.ts';

const segment = (sequence: number, change: Partial<RecordedSegment> = {}): RecordedSegment => ({
  run: 0,
  sequence,
  durationMs: 2002,
  mark: String(sequence).padStart(12, '0'),
  isDiscontinuous: false,
  ...change,
});

describe('name filters', () => {
  test.each([
    [[], '/live/a', true],
    [['/*/*'], '/live/a', true],
    [['/match/nothing'], '/live/a', false],
    [['/live/*'], '/live/sub/a', false],
    [['/live/cam-?'], '/live/cam-1', true],
    [['/live/cam-?'], '/live/cam-12', false],
    [['/live/[a-c]*'], '/live/bob', true],
    [['/live/[^a-c]*'], '/live/bob', false],
    [['/live/[!a]x'], '/live/bx', true],
    [['/live/[]]'], '/live/]', true],
    [['/live/\\*'], '/live/*', true],
    [['/live/\\*'], '/live/a', false],
    [['/a/*', '/b/*'], '/b/x', true],
    [['*'], '/live/a', false],
    [['live/a'], '/live/a', false],
    [['/直播/?'], '/直播/流', true],
  ])('%j and %s: %s', (globs, path, expected) => {
    expect(passesFilters(globs, path)).toBe(expected);
  });

  test.each(['/a/[b', '/a/[', '/a/\\', '/a/[^]'])('%s is refused', (glob) => {
    expect(() => checkFilters([glob])).toThrow(AppError);
  });

  it('takes no longer for hostile patterns', () => {
    expect(passesFilters([`/live/${'*a'.repeat(140)}b`], `/live/${'a'.repeat(128)}`)).toBe(false);
  });
});

describe('segment names', () => {
  it('carry everything, both ways', () => {
    const each = segment(17, { run: 2, durationMs: 1960, mark: 'abcdef012345', isDiscontinuous: true });
    expect(writeSegmentName(each)).toBe('002-000017-1960-abcdef012345d.ts');
    expect(parseSegmentName(writeSegmentName(each))).toEqual(each);
  });

  test.each(['a.ts', '../000-000001-1-abcdef012345.ts', '000-000001-1-abcdef012345.ts.part', '0-1-1-a.ts', ''])(
    '%j is none',
    (name) => expect(parseSegmentName(name)).toBeUndefined(),
  );

  it('the run tells numbering that went on from numbering that began anew', () => {
    const before = [segment(5), segment(6), segment(8)];
    expect(runOf([], { sequence: 9, mark: 'x' })).toBe(0);
    expect(runOf(before, { sequence: 9, mark: 'x' })).toBe(0);
    expect(runOf(before, { sequence: 7, mark: 'x' })).toBe(0);
    expect(runOf(before, { sequence: 6, mark: 'x' })).toBe(1);
    expect(runOf(before, { sequence: 0, mark: 'x' })).toBe(1);
    expect(runOf(before, { sequence: 99, mark: segment(6).mark })).toBeUndefined();
  });
});

test('a playlist is what players and earlier releases expect', () => {
  const text = writePlaylist([segment(3), segment(4, { durationMs: 5500 }), segment(6, { durationMs: 40 })], '/p/');
  expect(text.split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-ALLOW-CACHE:YES',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-TARGETDURATION:6',
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXTINF:2.00, no desc',
    '/p/000-000003-2002-000000000003.ts',
    '#EXTINF:5.50, no desc',
    '/p/000-000004-5500-000000000004.ts',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:0.04, no desc',
    '/p/000-000006-40-000000000006.ts',
    '#EXT-X-ENDLIST',
    '',
  ]);
});

test('garbage instead of a segment is no reason to fail', () => {
  const packet = fc.uint8Array({ minLength: 188, maxLength: 188 }).map((bytes) => {
    const buffer = Buffer.from(bytes);
    buffer[0] = 0x47;
    // Tables and first packets, often enough to get inside the parsers.
    buffer.writeUInt16BE(0x4000 | ((bytes[1] ?? 0) % 3), 1);
    return buffer;
  });
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 12 }), fc.nat(2000), (packets, length) => {
      const media = readSegmentMedia(Buffer.concat(packets).subarray(0, length));
      expect(Array.isArray(media.tracks)).toBe(true);
    }),
    { numRuns: 500, seed: 5 },
  );
});

test('the disk: pauses below the reserve, resumes above it with some distance, at once after a failed write', async () => {
  const megabyte = 1024 * 1024;
  const disk = { freeBytes: 10_000 * megabyte, totalBytes: 100_000 * megabyte };
  const states: string[] = [];
  let nowMs = 0;
  const watch = createDiskWatch({
    path: '/',
    monotonicMs: () => nowMs,
    onChange: ({ state }) => states.push(state),
    measure: async () => ({ ...disk }),
  });
  const stateAt = async (free: number) => {
    disk.freeBytes = free * megabyte;
    nowMs += 10_000;
    return (await watch.look()).state;
  };
  expect(await stateAt(10_000)).toBe('ok');
  expect(await stateAt(1_000)).toBe('low');
  expect(await stateAt(511)).toBe('full');
  expect(await stateAt(600)).toBe('full');
  expect(await stateAt(700)).toBe('low');
  watch.onNoRoom();
  expect((await watch.look()).state).toBe('full');
  expect(await stateAt(10_000)).toBe('ok');
  expect(states).toEqual(['low', 'full', 'low', 'full', 'ok']);
  disk.totalBytes = 100 * megabyte;
  expect(await stateAt(10)).toBe('low');
  expect(await stateAt(4)).toBe('full');
});
