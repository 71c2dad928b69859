import { describe, expect, it } from 'vitest';
import { LivePlaylist, type PlaylistSegment, toMasterText } from './live-playlist.ts';

const segment = (sequence: number, durationMs = 2000, isDiscontinuous = false): PlaylistSegment => ({
  fileName: `s-${sequence}-1700000000000.ts`,
  durationMs,
  isDiscontinuous,
  sizeBytes: 100_000,
});

describe('LivePlaylist', () => {
  it('has no text before its first segment', () => {
    expect(new LivePlaylist(30_000).toText()).toBe('');
  });

  it('is written as players and SRS expect it', () => {
    const playlist = new LivePlaylist(30_000, 7);
    playlist.add(segment(7, 2002));
    playlist.add(segment(8, 1960, true));
    expect(playlist.toText('?hls_ctx=abcd1234')).toBe(
      [
        '#EXTM3U',
        '#EXT-X-VERSION:3',
        '#EXT-X-MEDIA-SEQUENCE:7',
        '#EXT-X-TARGETDURATION:2',
        '#EXTINF:2.002, no desc',
        's-7-1700000000000.ts?hls_ctx=abcd1234',
        '#EXT-X-DISCONTINUITY',
        '#EXTINF:1.960, no desc',
        's-8-1700000000000.ts?hls_ctx=abcd1234',
        '',
      ].join('\n'),
    );
  });

  it('removes the oldest segments when the rest fills the window', () => {
    const playlist = new LivePlaylist(10_000);
    const removed = Array.from({ length: 8 }, (_, index) => playlist.add(segment(index))).flat();
    expect(playlist.durationMs).toBe(10_000);
    expect(removed.map(({ fileName }) => fileName)).toEqual([0, 1, 2].map((index) => segment(index).fileName));
    expect(playlist.toText()).toContain('#EXT-X-MEDIA-SEQUENCE:3\n');
  });

  it('keeps three segments of any length', () => {
    const playlist = new LivePlaylist(30_000);
    for (let index = 0; index < 6; index++) playlist.add(segment(index, 60_000));
    expect(playlist.segments).toHaveLength(3);
    expect(playlist.toText()).toContain('#EXT-X-TARGETDURATION:60\n');
  });

  it('has one target duration, unchanged by similar segments and never reduced by shorter ones', () => {
    const playlist = new LivePlaylist(4000);
    const durations = [2000, 2040, 1960, 2480, 4000, 2000, 2000, 2000, 2000, 2000, 2000, 2000];
    const targets = durations.map((durationMs, index) => {
      playlist.add(segment(index, durationMs));
      return playlist.targetDuration;
    });
    expect(targets).toEqual([2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4]);
    expect(playlist.segments.some(({ durationMs }) => durationMs === 4000)).toBe(false);
  });

  it('counts removed discontinuities', () => {
    const playlist = new LivePlaylist(4000);
    for (let index = 0; index < 5; index++) playlist.add(segment(index, 2000, index === 1));
    expect(playlist.segments).toHaveLength(3);
    expect(playlist.toText()).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:1\n');
    expect(playlist.toText()).not.toContain('#EXT-X-DISCONTINUITY\n');
  });

  it('escapes special characters in names', () => {
    const playlist = new LivePlaylist(4000);
    playlist.add({ ...segment(0), fileName: '直播-0-1700000000000.ts' });
    expect(playlist.toText()).toContain('\n%E7%9B%B4%E6%92%AD-0-1700000000000.ts\n');
  });

  it('is referenced by a master playlist per viewer', () => {
    expect(toMasterText('/live/s.m3u8?hls_ctx=abcd1234', { peak: 3000, average: 2000 })).toBe(
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=3000,AVERAGE-BANDWIDTH=2000\n/live/s.m3u8?hls_ctx=abcd1234\n',
    );
  });

  it('reports the bitrate of its largest segment and of all', () => {
    const playlist = new LivePlaylist(30_000);
    expect(playlist.bandwidth).toEqual({ peak: 1, average: 1 });
    playlist.add({ ...segment(0, 2000), sizeBytes: 500_000 });
    playlist.add({ ...segment(1, 6000), sizeBytes: 500_000 });
    expect(playlist.bandwidth).toEqual({ peak: 2_000_000, average: 1_000_000 });
  });
});
