import { expect, it } from 'vitest';
import { carriedQuery, sourceOf, watchedStream } from './watched-stream.ts';

const page = new URL('https://tv.example/watch/live/show?watch=k.1.f&lang=en&way=hls&embed=1');

it('the page knows its stream', () => {
  expect(watchedStream('/watch/live/show')).toEqual({ app: 'live', stream: 'show' });
  expect(watchedStream('/watch/a/b/show')).toEqual({ app: 'a/b', stream: 'show' });
});

it.each([
  ['webrtc', 'https://tv.example/rtc/v1/whep/?app=live&stream=show&watch=k.1.f'],
  ['flv', 'https://tv.example/live/show.flv?watch=k.1.f'],
  ['hls', 'https://tv.example/live/show.m3u8?watch=k.1.f'],
] as const)('the right to watch travels on by %s', (way, url) => {
  expect(sourceOf(way, watchedStream(page.pathname), carriedQuery(page), page).url).toBe(url);
});
