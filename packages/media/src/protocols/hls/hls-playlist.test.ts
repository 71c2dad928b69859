import { expect, it } from 'vitest';
import { parseHlsPlaylist } from './hls-playlist.ts';
import { bestVariant } from './variant-choice.ts';

const lines = (...text: string[]) => ['#EXTM3U', ...text].join('\n');
const multivariant = (...text: string[]) => {
  const playlist = parseHlsPlaylist(lines(...text));
  if (playlist.kind !== 'multivariant') throw new Error('a media playlist');
  return playlist;
};

it('a media playlist has its segments, numbered, with breaks and gaps', () => {
  const text = lines(
    ...['#EXT-X-TARGETDURATION:6', '#EXT-X-MEDIA-SEQUENCE:41', '#EXT-X-KEY:METHOD=NONE', '#EXT-X-PROGRAM-DATE-TIME:x'],
    ...['#EXTINF:5.5,title, with a comma', 'a.ts?x=1', '#EXT-X-DISCONTINUITY', '#EXTINF:6', 'https://cdn/b.ts'],
    ...['#EXT-X-GAP', '#EXTINF:1,', 'c.ts', '#EXT-X-PART:DURATION=1,URI="p.ts"', ''],
  );
  expect(parseHlsPlaylist(text.replaceAll('\n', '\r\n'))).toEqual({
    ...{ kind: 'media', targetDurationMs: 6_000, hasEnded: false, feature: '' },
    segments: [
      { uri: 'a.ts?x=1', sequence: 41, durationMs: 5_500, isDiscontinuity: false, isGap: false },
      { uri: 'https://cdn/b.ts', sequence: 42, durationMs: 6_000, isDiscontinuity: true, isGap: false },
      { uri: 'c.ts', sequence: 43, durationMs: 1_000, isDiscontinuity: false, isGap: true },
    ],
  });
});

it.each([
  ['#EXT-X-KEY:METHOD=AES-128,URI="k"', 'EXT-X-KEY'],
  ['#EXT-X-MAP:URI="init.mp4"', 'EXT-X-MAP'],
  ['#EXT-X-BYTERANGE:5@0', 'EXT-X-BYTERANGE'],
  ['#EXT-X-DEFINE:NAME="a",VALUE="b"', 'EXT-X-DEFINE'],
  ['#EXT-X-MAPPING:1', ''],
])('%s is the feature "%s"', (tag, feature) => {
  const text = lines('#EXT-X-TARGETDURATION:2', tag, '#EXTINF:2,', 'a', '#EXT-X-ENDLIST');
  expect(parseHlsPlaylist(text)).toMatchObject({ feature, hasEnded: true });
});

it('a multivariant playlist has its variants, and the audio groups with separate playlists', () => {
  const playlist = multivariant(
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="far",NAME="en",URI="audio.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="near",NAME="en"',
    '#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="far"',
    '# a comment',
    'low.m3u8',
    '#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=x',
    'other.m3u8',
  );
  expect(playlist.variants).toEqual([
    { uri: 'low.m3u8', bandwidth: 800_000, codecs: 'avc1.64001f,mp4a.40.2', audioGroup: 'far' },
    { uri: 'other.m3u8', bandwidth: 0, codecs: '', audioGroup: '' },
  ]);
  expect([...playlist.separateAudio]).toEqual(['far']);
});

it('the best variant has the highest bandwidth of those with supported codecs', () => {
  const variant = (bandwidth: number, codecs: string) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}${codecs && `,CODECS="${codecs}"`}`,
    `${bandwidth}.m3u8`,
  ];
  const best = (...all: string[][]) => bestVariant(multivariant(...all.flat())).bandwidth;
  expect(best(variant(1, 'avc1.1,mp4a'), variant(3, 'mp4a.40.2,hvc1.1'), variant(2, 'avc1.1'))).toBe(3);
  expect(best(variant(1, 'avc1.1,mp4a'), variant(9, 'av01.0'))).toBe(1);
  expect(best(variant(9, 'mp4a.40.2'), variant(1, 'avc1.1'))).toBe(1);
  expect(best(variant(1, ''), variant(2, ''))).toBe(2);
  expect(best(variant(1, 'mp4a.40.2'))).toBe(1);
  expect(best(variant(1, 'av01.0'), variant(2, 'vp09'))).toBe(2);
});

it.each(['', '<html>', '#EXTM3U', '#EXTM3U\n#EXTINF:1,\na.ts', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1'])(
  '%j is refused',
  (text) => {
    expect(() => parseHlsPlaylist(text)).toThrow('hls:');
  },
);

it('a line that is too long is read as a line without attributes', () => {
  const text = lines(`#EXT-X-STREAM-INF:${'A'.repeat(1_000_000)}`, 'a.m3u8');
  expect(parseHlsPlaylist(text)).toMatchObject({ variants: [{ uri: 'a.m3u8', bandwidth: 0 }] });
});
