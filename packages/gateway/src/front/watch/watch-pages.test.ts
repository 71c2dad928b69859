import type { WatchInfo } from '@srs-stack/contract/values/watch-info.ts';
import { expect, test } from 'vitest';
import { oembedResponse } from './oembed.ts';
import { lookOf, parsePageLooks } from './page-looks.ts';
import { parseInfoPath, parseWatchPath, watchPath } from './watch-path.ts';
import { previewTags } from './watch-preview.ts';

test.each([
  ['/watch/live/show', { app: 'live', stream: 'show' }],
  ['/watch/live/a%20b', undefined],
  ['/watch/live/%E0%A4', undefined],
  ['/watch/live/', undefined],
  ['/watch/show', undefined],
  ['/watch/live/..%2Fx', undefined],
])('the path %s names the stream %o', (path, stream) => {
  expect(parseWatchPath(path)).toEqual(stream);
  if (stream) expect(watchPath(stream)).toBe(path);
});

const infoOf = (looks: object[] = []): WatchInfo => {
  const { hidesViewers: _, ...look } = lookOf(parsePageLooks(JSON.stringify({ looks })), {
    app: 'live',
    stream: 'show',
  });
  return { ...look, allowed: true, live: true, since: null, viewers: 1, ways: [] };
};
const stream = { app: 'live', stream: 'show' };
const origin = 'https://tv.example';

test('a preview has title, text, image and embed link, all escaped for HTML', () => {
  const picture = `${'a'.repeat(32)}.jpg`;
  const tags = previewTags(stream, infoOf([{ pattern: '*', name: 'a"><script>', text: '</title>', picture }]), origin);
  expect(tags).toContain('<title>a&quot;&gt;&lt;script&gt;</title>');
  expect(tags.replace(/<\/title>$/m, '')).not.toMatch(/<script>|<\/title>/);
  expect(tags).toContain(`<meta property="og:image" content="https://tv.example/watch/pictures/${picture}" />`);
  expect(tags).toContain('content="summary_large_image"');
  const href = /oembed" href="([^"]+)"/.exec(previewTags(stream, infoOf(), origin))?.[1];
  const query = new URL((href ?? '').replaceAll('&amp;', '&')).searchParams;
  expect(JSON.parse(oembedResponse(query, origin, () => 'Our TV').text)).toMatchObject({
    type: 'video',
    title: 'Our TV',
  });
});

test('each field comes from the most specific entry that sets it', () => {
  const looks = [
    { pattern: 'live/show', text: 'Tonight', theme: 'dark' },
    { pattern: '*', name: 'Our TV', text: 'Always on', accent: '#c0392b', audience: 'hidden' },
    { pattern: 'other/*', name: 'Not this' },
  ];
  const look = lookOf(parsePageLooks(JSON.stringify({ looks })), stream);
  expect(look).toMatchObject({ name: 'Our TV', text: 'Tonight', theme: 'dark', accent: '#c0392b', hidesViewers: true });
  expect(lookOf([], stream)).toMatchObject({ name: 'show', picture: null, theme: 'system', startsAt: null });
});

test('invalid entries are skipped', () => {
  const odd = { pattern: '*', picture: '../../config/.env', accent: 'red;}', theme: 'x', startsAt: 'soon', name: 7 };
  const look = lookOf(parsePageLooks(JSON.stringify({ looks: [odd, null] })), stream);
  expect(look).toMatchObject({ name: 'show', picture: null, accent: '', theme: 'system', startsAt: null });
  expect(() => parsePageLooks('{}')).toThrow('the field `looks` is missing or not a list');
});

test('info.json is served below the page', () => {
  expect(parseInfoPath('/watch/live/show/info.json')).toEqual(stream);
  expect(parseInfoPath('/watch/live/show')).toBeUndefined();
});

const oembedOf = (query: string) =>
  oembedResponse(new URLSearchParams(query), 'https://tv.example', ({ stream: name }) => name);
const page = encodeURIComponent('https://tv.example/watch/live/show?watch=1');

test('a frame has the requested size', () => {
  const body = JSON.parse(oembedOf(`url=${page}&maxwidth=640`).text) as { width: number; height: number; html: string };
  expect(body).toMatchObject({ version: '1.0', width: 640, height: 360 });
  expect(body.html).toContain('src="https://tv.example/watch/live/show?embed=1"');
  expect(JSON.parse(oembedOf(`url=${page}&maxheight=90`).text)).toMatchObject({ width: 160, height: 90 });
  expect(JSON.parse(oembedOf(`url=${page}&maxwidth=nonsense`).text)).toMatchObject({ width: 960, height: 540 });
});

test.each([
  ['url=https%3A%2F%2Felsewhere.example%2Fwatch%2Flive%2Fshow', 404],
  ['url=nonsense', 404],
  ['', 404],
  [`url=${page}&format=xml`, 501],
])('%s gives %i', (query, status) => {
  expect(oembedOf(query).status).toBe(status);
});
