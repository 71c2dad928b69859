import { expect, it } from 'vitest';
import { parseRange, withoutMoments } from './rewind-moment.ts';
import { writeRewindPlaylist, writeStoryboard } from './rewind-playlist.ts';
import { parsePublicName, toPublicSegmentName } from './rewind-public-names.ts';
import { maxWindowSegments, RewindWindow } from './rewind-window.ts';

const noon = Date.parse('2026-05-01T12:00:00Z');

/** Segments of two seconds from noon on; `breaks` lists discontinuous segments. */
function windowOf(count: number, breaks: readonly number[] = []): RewindWindow {
  const window = new RewindWindow();
  for (let index = 0; index < count; index++) {
    const isDiscontinuous = breaks.includes(index);
    window.add(window.place({ startedAtMs: noon + index * 2000, durationMs: 2000, sizeBytes: 1000, isDiscontinuous }));
  }
  return window;
}

it('times follow the media, however its packets arrive', () => {
  const window = new RewindWindow();
  // A minute of media arrives at once, as from a cache or after a stall.
  for (let index = 0; index < 30; index++) {
    window.add(window.place({ startedAtMs: noon, durationMs: 2000, sizeBytes: 1, isDiscontinuous: false }));
  }
  expect(window.endMs! - noon).toBeGreaterThan(60_000 - 30 * 5 - 1);
  const starts = window.segments.map(({ startMs }) => startMs);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
});

it('counts the kept media without gaps, as segments come and go', () => {
  const window = windowOf(3, [1]);
  window.add(window.place({ startedAtMs: noon + 60_000, durationMs: 1500, sizeBytes: 1, isDiscontinuous: true }));
  expect(window.durationMs).toBe(7500);
  window.dropFirst(2);
  expect(window.durationMs).toBe(3500);
  expect(new RewindWindow(window.segments).durationMs).toBe(3500);
});

it('continues after a restart with a discontinuity and the same numbering', () => {
  const before = windowOf(3, [1]);
  const after = new RewindWindow(before.segments);
  after.add(after.place({ startedAtMs: noon + 60_000, durationMs: 2000, sizeBytes: 1, isDiscontinuous: true }));
  expect(after.segments.at(-1)).toMatchObject({ sequence: 3, discontinuity: 2, startMs: noon + 60_000 });
});

it('a lost segment is a discontinuity, and a clock set back reorders no segments', () => {
  const window = windowOf(2);
  window.break();
  window.add(window.place({ startedAtMs: 0, durationMs: 2000, sizeBytes: 1, isDiscontinuous: false }));
  expect(window.segments[2]).toMatchObject({ sequence: 2, discontinuity: 1, startMs: noon + 4000 });
});

it('removes expired segments, and those above the limit', () => {
  const window = windowOf(10);
  expect(window.dropBefore(noon + 4000)).toHaveLength(2);
  expect(window.sizeBytes).toBe(8000);
  expect(windowOf(maxWindowSegments + 3).dropBefore(0)).toHaveLength(3);
});

it('the whole window is a live playlist with times, discontinuities and the number of removed ones', () => {
  const window = windowOf(6, [1, 4]);
  window.dropFirst(2);
  const text = writeRewindPlaylist(window.segments, { stream: 'x', isEnded: false }).toBody('?hls_ctx=1').toString();
  expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:2\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n');
  expect(text).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-05-01T12:00:04.000Z\n#EXTINF:2.000,\nx.rewind-2-1-');
  expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
  expect(text).toContain('-2000-1000.ts?hls_ctx=1\n');
  expect(text).not.toContain('ENDLIST');
});

it('a delta update leaves out segments that the player has', () => {
  const { segments } = windowOf(100);
  const text = writeRewindPlaylist(segments, { stream: 'x', isEnded: false, isDelta: true }).toBody('').toString();
  expect(text).toContain('#EXT-X-VERSION:9\n');
  expect(text).toContain('#EXT-X-SKIP:SKIPPED-SEGMENTS=94\n');
  expect(text.match(/#EXTINF/g)).toHaveLength(6);
});

it('a range is a finished playlist of overlapping segments with a start offset in the first one', () => {
  const { segments } = windowOf(100);
  const window = windowOf(100);
  const piece = window.between({ fromMs: noon + 4500, toMs: noon + 8000 });
  expect(piece.map(({ sequence }) => sequence)).toEqual([2, 3]);
  const text = writeRewindPlaylist(piece, { stream: 'x', isEnded: true, offsetMs: 500 }).toBody('').toString();
  expect(text).toContain('#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-START:TIME-OFFSET=0.500,PRECISE=YES\n');
  expect(text.endsWith('#EXT-X-ENDLIST\n')).toBe(true);
  expect(window.between({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })).toEqual(segments);
});

it.each([
  ['?from=2026-05-01T12:00:00Z&to=2026-05-01T12:00:10.5Z', { fromMs: noon, toMs: noon + 10_500 }],
  ['?from=1777636800&to=1777636810.5', { fromMs: noon, toMs: noon + 10_500 }],
  ['?from=1777636800', { fromMs: noon, toMs: Number.MAX_SAFE_INTEGER }],
  ['?to=1777636800', { fromMs: 0, toMs: noon }],
  ['?hls_ctx=1', 'whole'],
  ['?from=&to=', 'invalid'],
  ['?from=2026-05-01T12:00:00', 'invalid'],
  ['?from=2026-05-01T12:00:00%2B02:00', 'invalid'],
  ['?from=2026-13-41T99:00:00Z', 'invalid'],
  ['?from=1e99', 'invalid'],
  ['?from=-1', 'invalid'],
  ['?from=Infinity', 'invalid'],
  [`?from=${'9'.repeat(400)}`, 'invalid'],
  ['?from=1777636810&to=1777636800', 'invalid'],
  ['?from=1777636800&to=1777636800', 'invalid'],
])('%s', (query, range) => {
  expect(parseRange(query)).toEqual(range);
});

it("the viewer's query is the same for every range", () => {
  expect(withoutMoments('?from=1&watch=abc&to=2')).toBe('?watch=abc');
  expect(withoutMoments('?from=1')).toBe('');
  expect(withoutMoments('?fromage=1')).toBe('?fromage=1');
});

it('file names convert in both directions, and other names do not match', () => {
  const [segment] = windowOf(1).segments;
  const name = toPublicSegmentName('a.b', segment!);
  expect(parsePublicName(name.slice(0, -3), 'ts')).toEqual({ kind: 'segment', stream: 'a.b', segment });
  for (const other of ['x.rewind-1-2-3-4-5', 'x.rewind-', 'x-0-1777636800000', '.rewind-0-0-1777636800000-1-1']) {
    expect(parsePublicName(other, 'ts'), other).toBeUndefined();
  }
});

it('images are at least ten seconds apart, bounded in number, and stay the same as time passes', () => {
  const cuesOf = (text: string) => text.split('\n').filter((line) => line.endsWith('.jpg?watch=1'));
  const hour = windowOf(1800);
  const text = writeStoryboard(hour.segments, 'x', '?watch=1');
  expect(text).toContain('NOTE begins 2026-05-01T12:00:00.000Z\n');
  expect(text).toContain(`00:00:00.000 --> 00:00:20.000\nx.rewind-${noon}.jpg?watch=1\n`);
  expect(cuesOf(text).length).toBeLessThanOrEqual(240);
  expect(cuesOf(writeStoryboard(windowOf(5).segments, 'x', '?watch=1'))).toHaveLength(1);
  const before = cuesOf(text);
  hour.dropFirst(60);
  const after = cuesOf(writeStoryboard(hour.segments, 'x', '?watch=1'));
  expect(after.filter((name) => !before.includes(name))).toEqual([]);
});
