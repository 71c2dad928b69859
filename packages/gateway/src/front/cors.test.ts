import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { corsHeadersOf, preflightHeadersOf } from './cors.ts';
import { commonHeaderList } from './http/response-headers.ts';
import { routeOf } from './route-table.ts';

const origin = 'https://site.example';
const requestFor = (path: string, headers: Record<string, string> = {}) => ({ url: path, headers }) as IncomingMessage;
const headersOf = (path: string, headers?: Record<string, string>, give = corsHeadersOf) => {
  const list = give(requestFor(path, headers), routeOf(path));
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), list[at + 1]!]] : [])));
};

const recording = '/terraform/v1/hooks/record/hls/0/index.mp4';

describe.each(['/live/x.flv', '/live/x.m3u8', '/live/x-1-2.ts', '/live/x.ll.0.p0.m4s', recording])('%s', (path) => {
  test('names the origin of the page, with Vary for caches', () => {
    expect(headersOf(path, { origin })).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
    expect(headersOf(path)).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Origin' });
  });
});

test.each(['/terraform/v1/mgmt/login', '/api/v1/streams/', '/rtc/v1/whip/', '/mgmt', '/api/v1/versions'])(
  '%s has the headers that older clients compare',
  (path) => {
    for (const headers of [{}, { origin }])
      expect(corsHeadersOf(requestFor(path, headers), routeOf(path))).toBe(commonHeaderList);
    expect(preflightHeadersOf(requestFor(path, { origin }), routeOf(path))).toBe(commonHeaderList);
  },
);

test('WHEP names the origin of a page in a browser', () => {
  const headers = { origin, 'sec-fetch-site': 'cross-site' };
  expect(headersOf('/rtc/v1/whep/', headers)['access-control-allow-origin']).toBe(origin);
  expect(headersOf('/terraform/v1/mgmt/login', headers)['access-control-allow-origin']).toBe('*');
});

test('a preflight response lists the requested headers', () => {
  const asks = (names: string) => ({ origin, 'access-control-request-headers': names });
  const allowed = (path: string, names: string) =>
    headersOf(path, asks(names), preflightHeadersOf)['access-control-allow-headers'];
  expect(allowed('/live/x.m3u8', 'range,x-token')).toBe('*, Authorization, range,x-token');
  expect(allowed('/rtc/v1/whip/', 'authorization,content-type')).toBe('*, Authorization');
  expect(allowed('/rtc/v1/whip/', 'content-type')).toBe('*');
});

test.each(['*', 'https://a b', 'https://a, https://b', 'no origin', `https://${'a'.repeat(300)}`, ''])(
  'does not echo an invalid origin (%j)',
  (text) => {
    expect(headersOf('/live/x.flv', { origin: text })['access-control-allow-origin']).toBe('*');
  },
);
