import { expect, test } from 'vitest';
import { mergedResponse } from './merged-media-api.ts';

const rows = Array.from({ length: 25 }, (_, index) => ({ id: `id-${index}` }));

function open() {
  const kicked: string[] = [];
  const servers = {
    rows: async () => rows,
    summary: async () => ({ self: { pid: 1 } }),
    disconnect: async (id: string) => void kicked.push(id),
  };
  const ask = (url: string, method = 'GET') =>
    mergedResponse(servers, { method, url, query: Object.fromEntries(new URL(url, 'http://h').searchParams) });
  return { ask, kicked };
}

test('lists in pages as SRS does', async () => {
  const { ask } = open();
  const count = async (url: string) => ((await ask(url)) as { streams: unknown[] }).streams.length;
  expect(await ask('/api/v1/streams/?start=24&count=10')).toMatchObject({ code: 0, streams: [{ id: 'id-24' }] });
  expect(await count('/api/v1/streams')).toBe(10);
  expect(await count('/api/v1/streams/?count=1')).toBe(10);
  expect(await count('/api/v1/streams/?count=99&token=t')).toBe(25);
  expect(await count('/api/v1/streams/?start=x&count=-1')).toBe(10);
});

test('reads one client, and disconnects one on any server', async () => {
  const { ask, kicked } = open();
  expect(await ask('/api/v1/streams/id-3')).toMatchObject({ code: 0, stream: { id: 'id-3' } });
  expect(await ask('/api/v1/clients/id-3?token=t')).toMatchObject({ code: 0, client: { id: 'id-3' } });
  expect(await ask('/api/v1/streams/none')).toMatchObject({ code: 2048 });
  expect(await ask('/api/v1/clients/%E0%A4', 'DELETE')).toMatchObject({ code: 2049 });
  expect(kicked).toEqual([]);
  expect(await ask('/api/v1/clients/id-4', 'DELETE')).toMatchObject({ code: 0 });
  expect(kicked).toEqual(['id-4']);
});

test('returns the merged summaries of all servers', async () => {
  const { ask } = open();
  expect(await ask('/api/v1/summaries')).toMatchObject({ code: 0, data: { self: { pid: 1 } } });
  expect(await ask('/api/v1/summaries?token=t', 'HEAD')).toMatchObject({ code: 0 });
  expect(await ask('/api/v1/summaries', 'POST')).toBeUndefined();
  expect(await ask('/api/v1/vhosts/')).toMatchObject({ code: 0, vhosts: rows.slice(0, 10) });
  expect(await ask('/api/v1/vhosts/id-3')).toMatchObject({ code: 0, vhost: { id: 'id-3' } });
});

test.each([
  ['GET', '/api/v1/summariesx'],
  ['GET', '/api/v1/versions'],
  ['GET', '/api/v1/streamsx/'],
  ['GET', '/api/v1/streams/a/b'],
  ['DELETE', '/api/v1/streams/id-1'],
  ['POST', '/api/v1/clients/'],
])('%s %s is forwarded to the first server', async (method, url) => {
  expect(await open().ask(url, method)).toBeUndefined();
});

test('calls are not merged with a single server', async () => {
  const alone = {
    rows: async () => undefined,
    summary: async () => undefined,
    disconnect: () => Promise.reject(new Error('not called')),
  };
  expect(await mergedResponse(alone, { method: 'GET', url: '/api/v1/summaries', query: {} })).toBeUndefined();
  expect(await mergedResponse(alone, { method: 'GET', url: '/api/v1/streams/', query: {} })).toBeUndefined();
  expect(await mergedResponse(alone, { method: 'DELETE', url: '/api/v1/clients/c', query: {} })).toBeUndefined();
});
