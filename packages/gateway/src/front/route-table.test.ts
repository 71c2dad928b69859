import { expect, test } from 'vitest';
import { pathnameOf, routeOf } from './route-table.ts';

test.each([
  ['/live/a.flv', 'media'],
  ['/live/sub/a.m3u8', 'media'],
  ['/tools/a.ts', 'media'],
  ['/live/a.ll.m3u8', 'media'],
  ['/live/a.ll.run.p7.m4s', 'media'],
  ['/terraform/v1/hooks/record/hls/x.m3u8', 'platform'],
  ['/terraform/v1/mgmt/login', 'platform'],
  ['/metrics', 'platform'],
  ['/metrics/', 'home'],
  ['/healthz', 'health'],
  ['/readyz', 'readiness'],
  ['/readyz/', 'home'],
  ['/terraform', 'home'],
  ['/api/v1/versions', 'versions'],
  ['/api/v1/versions/', 'platform'],
  ['/api/v1/streams/', 'platform'],
  ['/rtc/v1/whip/', 'rtc'],
  ['/mgmt', 'console'],
  ['/mgmt/zh/routers-login', 'console'],
  ['/mgmtx', 'home'],
  ['/tools/player.html', 'pages'],
  ['/players/srs_player.html', 'pages'],
  ['/console/ng_index.html', 'pages'],
  ['/.well-known/acme-challenge/x', 'challenge'],
  ['/.well-known/other', 'home'],
  ['/live/a.flv.exe', 'home'],
  ['/', 'home'],
])('%s has the route %s', (pathname, route) => {
  expect(routeOf(pathname)).toBe(route);
});

test.each([
  ['/a?b=/c.flv', '/a'],
  ['//host/x', '//host/x'],
  ['http://host/a.flv?x', '/a.flv'],
  ['nowhere', undefined],
  ['*', undefined],
])('the path of %s is %s', (target, expected) => {
  expect(pathnameOf(target)).toBe(expected);
});
