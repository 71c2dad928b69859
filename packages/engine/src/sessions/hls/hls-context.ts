// `hls_ctx` in request URLs: which viewer asks, and the URL of that viewer's playlist.

import { directivePrefix } from './delivery-directives.ts';

const parameter = 'hls_ctx';
/** What a context id may look like: ours are 8 of [0-9a-z], other servers' similar. */
const contextPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** How contexts begin that a playlist of several streams gave: what it names must be media playlists, RFC 8216 §4.3.4.2. */
const variantPrefix = 'v-';

/** True for the context of a viewer who gets the media playlist with the first request. */
export function isOfVariant(context: string | undefined): boolean {
  return context?.startsWith(variantPrefix) ?? false;
}

/** The query by which a playlist of several streams names each; `others` are what its own was asked with. */
export function variantQuery(id: string, others: string): string {
  return mediaQuery(variantPrefix + id, others);
}

/** Undefined when the query has no (usable) context. */
export function contextOf(query: string): string | undefined {
  const context = new URLSearchParams(query).get(parameter);
  return context !== null && contextPattern.test(context) ? context : undefined;
}

/**
 * Reference to the playlist of one viewer: `{path}?hls_ctx={id}` with the other parameters of the viewer behind it. It climbs to the
 * root of this server first, so that it also holds behind a proxy with a path prefix; clients that look for the path find it.
 * @param target path and query of the request.
 */
export function toMediaUrl(target: string, context: string): string {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const others = queryAt < 0 ? '' : queryOfViewer(target.slice(queryAt)).slice(1);
  return relativeToItself(path) + mediaQuery(context, others);
}

/** `/live/x.m3u8` is `../live/x.m3u8` there. */
function relativeToItself(path: string): string {
  return path.startsWith('/') ? '../'.repeat(path.split('/').length - 2) + path.slice(1) : path;
}

/** The query without what differs from request to request of one viewer: the context, and directives of RFC 8216bis §6.2.5. */
export function queryOfViewer(query: string): string {
  const pairs = query.replace(/^\?/, '').split('&');
  const kept = pairs.filter(
    (pair) => pair !== '' && pair.split('=')[0] !== parameter && !pair.startsWith(directivePrefix),
  );
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/**
 * The query of every address in a viewer's playlist, with its question mark: the viewer's context, and what opens the segments to it.
 * '' when there is neither. It stands in quoted attributes too.
 */
export function mediaQuery(context: string | undefined, carry: string): string {
  const parts = [context === undefined ? '' : `${parameter}=${context}`, carry].filter((part) => part !== '');
  return parts.length === 0 ? '' : `?${parts.join('&').replaceAll('"', '%22')}`;
}
