import { expect, test } from 'vitest';
import { parseRtcQuery } from './rtc-address.ts';
import { watchLink } from './watch-link.ts';

const page = new URL('https://host:2443/players/whip.html?stream=a&secret=s');

test.each([
  ['https://host:2443/rtc/v1/whip/?app=live&stream=a&secret=s', 'https://host:2443/rtc/v1/whep/?app=live&stream=a'],
  ['https://other/rtc/v1/whip/?app=show&stream=b&token=t', 'https://other/rtc/v1/whep/?app=show&stream=b'],
  ['https://other:8889/lobby/whip?secret=s', 'https://other:8889/lobby/whep'],
])('viewers of %s play %s', (whip, whep) => {
  const link = new URL(watchLink(whip, page));
  expect(link.pathname).toBe('/players/whep.html');
  expect(link.href).not.toMatch(/secret|token/);
  expect(parseRtcQuery(link.searchParams, link, 'whep')).toEqual({ ok: true, url: whep });
});
