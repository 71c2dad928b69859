import { expect, test } from 'vitest';
import { givenAddress, onServer, pathOnServer, serverRoot } from './server-root.ts';

const below = new URL('https://tv.example/stream/');

test('a page with a base uses that server, a page without one uses the root of its host', () => {
  expect(serverRoot().pathname).toBe('/');
  const base = document.createElement('base');
  base.href = '/stream/';
  document.head.append(base);
  expect(serverRoot().pathname).toBe('/stream/');
  base.remove();
});

test('paths of the server are resolved below the path prefix; addresses of other servers stay unchanged', () => {
  expect(onServer('/live/x.flv?a=1', below)).toBe('https://tv.example/stream/live/x.flv?a=1');
  expect(onServer('https://cdn.example/logo.png', below)).toBe('https://cdn.example/logo.png');
  expect(pathOnServer('/stream/live/x.flv', below)).toBe('/live/x.flv');
  expect(pathOnServer('/streams/x.flv', below)).toBe('/streams/x.flv');
});

test('an address may be given with or without the path prefix', () => {
  const page = 'https://tv.example/stream/tools/player.html';
  for (const text of ['/live/x.flv', '/stream/live/x.flv', '../live/x.flv', 'https://tv.example/stream/live/x.flv']) {
    expect(givenAddress(text, page, below).href, text).toBe('https://tv.example/stream/live/x.flv');
  }
});
