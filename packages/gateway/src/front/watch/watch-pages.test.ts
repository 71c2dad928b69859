import { expect, test } from 'vitest';
import { oembedAnswer } from './oembed.ts';
import { parseWatchPath, watchPath } from './watch-path.ts';
import { previewTags } from './watch-preview.ts';

test.each([
  ['/watch/live/show', { app: 'live', stream: 'show' }],
  ['/watch/live/a%20b', undefined],
  ['/watch/live/%E0%A4', undefined],
  ['/watch/live/', undefined],
  ['/watch/show', undefined],
  ['/watch/live/..%2Fx', undefined],
])('the path %s names %o', (path, stream) => {
  expect(parseWatchPath(path)).toEqual(stream);
  if (stream) expect(watchPath(stream)).toBe(path);
});

test('a preview has the title and the way to embed it, and nothing of it is HTML', () => {
  const tags = previewTags({ app: 'live', stream: 'a"><script>' }, 'https://tv.example');
  expect(tags).toContain('<title>a&quot;&gt;&lt;script&gt;</title>');
  expect(tags).not.toContain('<script>');
  const href = /oembed" href="([^"]+)"/.exec(previewTags({ app: 'live', stream: 'show' }, 'https://tv.example'))?.[1];
  const query = new URL((href ?? '').replaceAll('&amp;', '&')).searchParams;
  expect(JSON.parse(oembedAnswer(query, 'https://tv.example').text)).toMatchObject({ type: 'video', title: 'show' });
});

const ask = (query: string) => oembedAnswer(new URLSearchParams(query), 'https://tv.example');
const page = encodeURIComponent('https://tv.example/watch/live/show?watch=1');

test('a frame is told in the size that is asked for', () => {
  const answer = JSON.parse(ask(`url=${page}&maxwidth=640`).text) as { width: number; height: number; html: string };
  expect(answer).toMatchObject({ version: '1.0', width: 640, height: 360 });
  expect(answer.html).toContain('src="https://tv.example/watch/live/show?embed=1"');
  expect(JSON.parse(ask(`url=${page}&maxheight=90`).text)).toMatchObject({ width: 160, height: 90 });
  expect(JSON.parse(ask(`url=${page}&maxwidth=nonsense`).text)).toMatchObject({ width: 960, height: 540 });
});

test.each([
  ['url=https%3A%2F%2Felsewhere.example%2Fwatch%2Flive%2Fshow', 404],
  ['url=nonsense', 404],
  ['', 404],
  [`url=${page}&format=xml`, 501],
])('%s is answered with %i', (query, status) => {
  expect(ask(query).status).toBe(status);
});
