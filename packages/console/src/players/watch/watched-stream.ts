// The stream in the path `/watch/<app>/<stream>`, and its media addresses with the viewer's query.
import { type WatchWay, watchWays } from '@srs-stack/contract/values/watch-info.ts';
import type { MediaSource } from '../media-url.ts';
import { onServer, pathOnServer } from '../server-root.ts';

export interface WatchedStream {
  readonly app: string;
  readonly stream: string;
}

/** Output protocols; `?way=hls` selects one. */
export const ways = watchWays;
export type Way = WatchWay;

export function isWay(text: string | null): text is Way {
  return ways.some((way) => way === text);
}

/** Query parameters of the page. All others, in particular `watch`, are added to media requests. */
const ownParameters = ['lang', 'way', 'embed', 'muted', 'preview'];

/** Reads the stream from a path `/watch/<app>/<stream>`. */
export function watchedStream(pathname: string, root: URL): WatchedStream {
  const path = pathOnServer(pathname, root)
    .replace(/^\/watch\//, '')
    .split('/')
    .map(decodeURIComponent);
  const stream = path.pop() ?? '';
  return { app: path.join('/'), stream };
}

/** Query parameters of the viewer's link that are added to media requests. */
export function carriedQuery(page: URL): URLSearchParams {
  const query = new URLSearchParams(page.search);
  for (const name of ownParameters) query.delete(name);
  return query;
}

export function sourceOf(way: Way, { app, stream }: WatchedStream, query: URLSearchParams, root: URL): MediaSource {
  const path = [...app.split('/'), stream].map(encodeURIComponent).join('/');
  const search = query.size > 0 ? `?${query}` : '';
  switch (way) {
    case 'webrtc': {
      const call = new URLSearchParams([['app', app], ['stream', stream], ...query]);
      return { kind: 'whep', url: onServer(`/rtc/v1/whep/?${call}`, root) };
    }
    case 'llhls':
      return { kind: 'hls', url: onServer(`/${path}.ll.m3u8${search}`, root) };
    case 'flv':
      return { kind: 'flv', url: onServer(`/${path}.flv${search}`, root) };
    case 'hls':
      return { kind: 'hls', url: onServer(`/${path}.m3u8${search}`, root) };
  }
}

/** Address of a playlist with the authorizing query. */
export function playlistOf(path: string, query: URLSearchParams, root: URL): MediaSource {
  const url = new URL(onServer(path, root));
  for (const [name, value] of query) url.searchParams.set(name, value);
  return { kind: 'hls', url: url.href };
}
