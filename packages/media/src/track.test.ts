import { expect, test } from 'vitest';
import { toStreamUrl } from './stream-key.ts';
import { aacTrack, h264Track } from './testing/media.ts';
import { isSameTrack } from './track.ts';

test('tracks are equal when decoders need the same configuration, byte for byte', () => {
  expect(isSameTrack(h264Track, { ...h264Track, config: Buffer.from(h264Track.config) })).toBe(true);
  expect(isSameTrack(h264Track, { ...h264Track, config: h264Track.config.subarray(0, -1) })).toBe(false);
  expect(isSameTrack(h264Track, { ...h264Track, codec: 'h265' })).toBe(false);
  expect(isSameTrack(h264Track, { ...aacTrack, config: h264Track.config })).toBe(false);
});

test.each([
  ['__defaultVhost__', 'live/s'],
  ['studio.example', 'studio.example/live/s'],
])('a stream of the virtual host %s is %s', (vhost, url) => {
  expect(toStreamUrl({ vhost, app: 'live', stream: 's' })).toBe(url);
});
