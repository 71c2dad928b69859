import { expect, it } from 'vitest';
import type { HlsMediaPlaylist } from './hls-playlist.ts';
import { PlaylistPosition } from './playlist-position.ts';

function playlist(from: number, count: number, changes: Partial<HlsMediaPlaylist> = {}): HlsMediaPlaylist {
  const segments = Array.from({ length: count }, (_, index) => ({
    ...{ uri: `${from + index}.ts`, sequence: from + index, durationMs: 2_000, isDiscontinuity: false, isGap: false },
  }));
  return { kind: 'media', targetDurationMs: 2_000, segments, hasEnded: false, feature: '', ...changes };
}

function taken(position: PlaylistPosition): string[] {
  const names: string[] = [];
  for (let next = position.take(); next; next = position.take()) {
    names.push(next.segment.uri.replace('.ts', '') + (next.isBreak ? '!' : ''));
  }
  return names;
}

it('a live playlist begins three segments before its end, and continues with each reload', () => {
  const position = new PlaylistPosition();
  expect(position.load(playlist(10, 6))).toBe(true);
  expect(position.reloadMs).toBe(2_000);
  expect(taken(position)).toEqual(['13', '14', '15']);
  expect(position.load(playlist(10, 6))).toBe(false);
  expect(position.reloadMs).toBe(1_000);
  expect(taken(position)).toEqual([]);
  position.load(playlist(12, 6));
  expect(taken(position)).toEqual(['16', '17']);
});

it('a segment after segments that left the playlist unread is a break', () => {
  const position = new PlaylistPosition();
  position.load(playlist(0, 3));
  taken(position);
  position.load(playlist(5, 3));
  expect(taken(position)).toEqual(['5!', '6', '7']);
});

it('a restarted server is read from near the end of its playlist', () => {
  const position = new PlaylistPosition();
  position.load(playlist(100, 3));
  taken(position);
  expect(position.load(playlist(0, 5))).toBe(true);
  expect(taken(position)).toEqual(['2!', '3', '4']);
});

it('a source that is far behind jumps to near the end; a playlist that has ended is read whole', () => {
  const position = new PlaylistPosition();
  position.load(playlist(0, 3));
  taken(position);
  position.load(playlist(0, 30));
  expect(taken(position)).toEqual(['27!', '28', '29']);
  const whole = new PlaylistPosition();
  whole.load(playlist(0, 30, { hasEnded: true }));
  whole.load(playlist(0, 30, { hasEnded: true }));
  expect(whole.unreadSegments).toBe(30);
  expect(taken(whole)).toHaveLength(30);
  expect(whole.hasEnded).toBe(true);
});

it('gaps are skipped; a segment after a gap or a discontinuity is a break', () => {
  const { segments, ...rest } = playlist(0, 3);
  const position = new PlaylistPosition();
  const marked = segments.map((each) => ({
    ...each,
    isGap: each.sequence === 0,
    isDiscontinuity: each.sequence === 2,
  }));
  position.load({ ...rest, segments: marked });
  expect(taken(position)).toEqual(['1!', '2!']);
  position.markBreak();
  position.load(playlist(0, 4));
  expect(taken(position)).toEqual(['3!']);
});

it('a playlist without segments returns nothing yet', () => {
  const position = new PlaylistPosition();
  expect(position.load(playlist(0, 0))).toBe(false);
  expect([position.take(), position.hasEnded, position.reloadMs]).toEqual([undefined, false, 1_000]);
});

it('a hundred thousand gaps, or segments, are processed quickly', () => {
  const { segments, ...rest } = playlist(0, 100_000, { hasEnded: true });
  const gaps = new PlaylistPosition();
  gaps.load({ ...rest, segments: segments.map((each) => ({ ...each, isGap: true })) });
  expect(gaps.take()).toBeUndefined();
  const whole = new PlaylistPosition();
  whole.load({ ...rest, segments });
  expect(taken(whole)).toHaveLength(100_000);
});
