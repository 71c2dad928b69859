import { storageKeys } from '@srs-stack/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { authorizedAddress } from './authorized-address.ts';
import { saveAuthorization } from './watch/watch-access.ts';

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

function logIn(query: string) {
  localStorage.setItem(storageKeys.token, JSON.stringify({ token: 'mine' }));
  const request = vi.fn(async () => Response.json({ code: 0, data: { query, expiresAt: 0 } }));
  vi.stubGlobal('fetch', request);
  return request;
}
const bodyOf = (request: ReturnType<typeof logIn>) =>
  JSON.parse(String((request.mock.calls[0] as unknown as [string, RequestInit])[1].body));

test('an operator who is logged in plays with a query from the server', async () => {
  const request = logIn('watch=C.1.2');
  const url = `${location.origin}/live/sub/%E6%B5%81.flv`;
  expect(await authorizedAddress({ url, kind: 'flv' })).toBe(`${url}?watch=C.1.2`);
  expect(bodyOf(request)).toEqual({ app: 'live/sub', stream: '流', token: 'mine' });
  const parts = `${location.origin}/live/x.ll.m3u8`;
  await authorizedAddress({ url: parts, kind: 'hls' });
  expect(JSON.parse(String((request.mock.calls[1] as unknown as [string, RequestInit])[1].body)).stream).toBe('x');
  const whep = `${location.origin}/rtc/v1/whep/?app=live&stream=x`;
  expect(await authorizedAddress({ url: whep, kind: 'whep' })).toBe(`${whep}&watch=C.1.2`);
});

test('nothing is requested without a login, for other servers, with a link, or for a recording', async () => {
  const url = `${location.origin}/live/x.flv`;
  vi.stubGlobal('fetch', () => expect.unreachable());
  expect(await authorizedAddress({ url, kind: 'flv' })).toBe(url);
  const request = logIn('watch=C.1.2');
  for (const other of [
    'https://other.example/live/x.flv',
    `${url}?watch=k1.1.2`,
    `${location.origin}/terraform/v1/hooks/record/hls/a/index.m3u8`,
  ]) {
    expect(await authorizedAddress({ url: other, kind: 'hls' })).toBe(other);
  }
  expect(request).not.toHaveBeenCalled();
});

test('an open stream and a server that does not respond leave the address unchanged', async () => {
  const url = `${location.origin}/live/x.flv`;
  logIn('');
  expect(await authorizedAddress({ url, kind: 'flv' })).toBe(url);
  vi.stubGlobal('fetch', () => Promise.reject(new Error('away')));
  expect(await authorizedAddress({ url, kind: 'flv' })).toBe(url);
});

test('a viewer who entered the password in this tab plays with its authorization', async () => {
  saveAuthorization({ app: 'live', stream: 'locked' }, 'watch=V.1.2');
  const url = `${location.origin}/live/locked.m3u8`;
  expect(await authorizedAddress({ url, kind: 'hls' })).toBe(`${url}?watch=V.1.2`);
  sessionStorage.clear();
});
