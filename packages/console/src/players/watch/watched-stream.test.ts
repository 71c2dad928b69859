import { expect, it } from 'vitest';
import { carriedQuery, playlistOf, sourceOf, watchedStream } from './watched-stream.ts';

const root = new URL('https://tv.example/');
const page = new URL('https://tv.example/watch/live/show?watch=k.1.f&lang=en&way=hls&embed=1');

it('the page determines its stream from the address', () => {
  expect(watchedStream('/watch/live/show', root)).toEqual({ app: 'live', stream: 'show' });
  expect(watchedStream('/watch/a/b/show', root)).toEqual({ app: 'a/b', stream: 'show' });
});

it.each([
  ['webrtc', 'https://tv.example/rtc/v1/whep/?app=live&stream=show&watch=k.1.f'],
  ['flv', 'https://tv.example/live/show.flv?watch=k.1.f'],
  ['hls', 'https://tv.example/live/show.m3u8?watch=k.1.f'],
] as const)('the playback authorization is passed on by %s', (way, url) => {
  expect(sourceOf(way, watchedStream(page.pathname, root), carriedQuery(page), root).url).toBe(url);
});

it('the page determines its stream and addresses below a path prefix', () => {
  const below = new URL('https://tv.example/watch/');
  const watched = watchedStream('/watch/watch/live/show', below);
  expect(watched).toEqual({ app: 'live', stream: 'show' });
  const query = new URLSearchParams();
  expect(sourceOf('hls', watched, query, below).url).toBe('https://tv.example/watch/live/show.m3u8');
  expect(sourceOf('webrtc', watched, query, below).url).toBe(
    'https://tv.example/watch/rtc/v1/whep/?app=live&stream=show',
  );
  expect(playlistOf('/live/show/master.m3u8', query, below).url).toBe('https://tv.example/watch/live/show/master.m3u8');
});
