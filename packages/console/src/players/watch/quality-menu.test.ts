import { expect, test } from 'vitest';
import { parseRenditions } from './quality-menu.ts';

const playlist = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=700000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"
x~360p.m3u8
#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=2100000,BANDWIDTH=2500000,RESOLUTION=1280x720
x.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
x~audio.m3u8`;

test('renditions are listed the best first, sound alone last', () => {
  expect(parseRenditions(playlist)).toEqual([
    { height: 720, bandwidth: 2_500_000 },
    { height: 360, bandwidth: 800_000 },
    { height: 0, bandwidth: 64_000 },
  ]);
  expect(parseRenditions('<html>')).toEqual([]);
});
