import { expect, test } from 'vitest';
import { writePlaylist } from './playlist-text.ts';

const segment = (sequence: number, durationMs: number) => ({
  ...{ run: 0, sequence, durationMs, isDiscontinuous: false },
  mark: String(sequence).padStart(12, '0'),
});

test('writes the playlist that players and earlier releases expect', () => {
  const text = writePlaylist([segment(3, 2002), segment(4, 5500), segment(6, 40)], '/p/');
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
