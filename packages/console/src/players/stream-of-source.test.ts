import { expect, test } from 'vitest';
import { parseMediaUrl } from './media-url.ts';
import { streamOfSource } from './stream-of-source.ts';

const page = 'https://server/watch/live/show';
const show = { app: 'live', stream: 'show' };

test.each([
  ['/live/show.flv', show],
  ['/live/show.m3u8?watch=1', show],
  ['/live/show.ll.m3u8', show],
  ['/live/show.rewind.m3u8?from=1777636800', show],
  ['/live/show/master.m3u8', show],
  ['/live/show~720p.m3u8', show],
  ['/live/show~720p.flv', show],
  ['/tv/live/show/master.m3u8', { app: 'tv/live', stream: 'show' }],
  ['/live/master.m3u8', { app: 'live', stream: 'master' }],
  ['/live/a%2Db.flv', { app: 'live', stream: 'a-b' }],
  ['/terraform/v1/hooks/record/hls/1/index.m3u8', undefined],
])('%s belongs to %o', (path, name) => {
  const parsed = parseMediaUrl(`https://server${path}`, page);
  expect(parsed.ok && streamOfSource(parsed.source)).toEqual(name);
});

test('a rendition over WebRTC belongs to its source stream', () => {
  const url = 'https://server/rtc/v1/whep/?app=live&stream=show~720p';
  expect(streamOfSource({ kind: 'whep', url })).toEqual(show);
});
