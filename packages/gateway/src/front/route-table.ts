// Maps a path to the part of the front that serves the path (docs/reference/protocols/public-http.md). Checks media paths early,
// because most requests have media paths. Pure.

import { healthPath, readyPath } from '@srs-stack/contract/constants.ts';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';

export type Route =
  | 'media'
  | 'platform'
  | 'health'
  | 'readiness'
  | 'versions'
  | 'rtc'
  | 'console'
  | 'pages'
  | 'reports'
  | 'watch'
  | 'challenge'
  | 'home';

/** Suffixes of media files and of rewind previews. */
const mediaSuffix = /\.(?:flv|m3u8|ts|m4s|aac|mp3|rewind\.vtt|rewind-\d+\.jpg)$/;

/** @param pathname path of the URL without the query, not decoded. */
export function routeOf(pathname: string): Route {
  if (pathname.startsWith('/terraform/')) return 'platform';
  if (pathname === '/metrics') return 'platform';
  if (pathname === healthPath) return 'health';
  if (pathname === readyPath) return 'readiness';
  if (mediaSuffix.test(pathname)) return 'media';
  if (pathname.startsWith('/api/')) return pathname === '/api/v1/versions' ? 'versions' : 'platform';
  if (pathname.startsWith('/rtc/')) return 'rtc';
  if (pathname === '/mgmt' || pathname.startsWith('/mgmt/')) return 'console';
  if (/^\/(?:tools|players|console)\//.test(pathname)) return 'pages';
  if (pathname === watchPaths.reports) return 'reports';
  if (pathname.startsWith('/watch/')) return 'watch';
  if (pathname.startsWith('/.well-known/acme-challenge/')) return 'challenge';
  return 'home';
}

/** Path of a request target, without the query. Undefined when the target is neither a path nor an absolute URL. */
export function pathnameOf(target: string): string | undefined {
  if (target.startsWith('/')) {
    const query = target.indexOf('?');
    return query < 0 ? target : target.slice(0, query);
  }
  return URL.parse(target)?.pathname;
}
