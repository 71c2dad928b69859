import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { parsePageLooks } from './page-looks.ts';
import { StreamInfos, type StreamInfosOptions } from './stream-infos.ts';

const stream = { app: 'live', stream: 'show' };
const facts = { live: true, since: null, viewers: 5, ways: ['hls'] } as const;
const looks = parsePageLooks(JSON.stringify({ looks: [{ pattern: 'live/*', name: 'Our TV', audience: 'hidden' }] }));
const infos = (changes: Partial<StreamInfosOptions> = {}) =>
  new StreamInfos({
    forwarded: () => ({ for: '203.0.113.7', proto: 'http', host: 'tv.example', prefix: '' }),
    mayWatch: () => 'everybody',
    live: { of: async () => facts },
    looks: () => [],
    more: [],
    ...changes,
  });
const request = { url: '/watch/live/show/info.json?watch=k1' } as IncomingMessage;

test('an unauthorized viewer gets only the public data of the page, and caches give it to no one else', async () => {
  const reviewed: object[] = [];
  const mayWatch: StreamInfosOptions['mayWatch'] = (viewer) => {
    reviewed.push(viewer);
    return 'no';
  };
  const shared = await infos({ mayWatch, looks: () => looks, more: [() => ({ master: '/x' })] }).of(stream, request);
  expect(shared).toMatchObject({
    isPublic: false,
    info: { name: 'Our TV', allowed: false, live: null, since: null, viewers: null, ways: [] },
  });
  expect(shared.info.master).toBeUndefined();
  expect(reviewed).toEqual([{ ...stream, ip: '203.0.113.7', param: '?watch=k1' }]);
});

test('does not return hidden viewer numbers', async () => {
  expect((await infos().of(stream, request)).info.viewers).toBe(5);
  expect((await infos({ looks: () => looks }).of(stream, request)).info.viewers).toBeNull();
});

test('omits a part that is missing or late, and returns the others', async () => {
  const never = () => new Promise<undefined>(() => undefined);
  const failing = () => Promise.reject(new Error('no response'));
  const shared = await infos({ more: [never, failing, async () => ({ master: '/live/show/master.m3u8' })] }).of(
    stream,
    request,
  );
  expect(shared.info).toMatchObject({ ...facts, master: '/live/show/master.m3u8' });
});
