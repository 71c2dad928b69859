import { expect, test } from 'vitest';
import { toMediaUrl } from './hls-context.ts';

test.each([
  ['/live/x.m3u8', '../live/x.m3u8?hls_ctx=abcd1234'],
  ['/live/x.m3u8?token=a', '../live/x.m3u8?hls_ctx=abcd1234&token=a'],
  ['/a/b/x.ll.m3u8?hls_ctx=older&_HLS_msn=3', '../../a/b/x.ll.m3u8?hls_ctx=abcd1234'],
])('names the playlist of a viewer of %s so that it works behind a path prefix', (target, reference) => {
  expect(toMediaUrl(target, 'abcd1234')).toBe(reference);
  const wanted = new URL(reference.slice(reference.search(/[^./]/)), 'http://a/');
  expect(new URL(reference, new URL(target, 'http://a')).href).toBe(wanted.href);
  expect(new URL(reference, `http://a/stream${target}`).pathname).toBe(`/stream${wanted.pathname}`);
});
