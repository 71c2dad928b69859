// `hls_ctx` in URLs: the session id of a viewer, and the URL of the viewer's playlist.

import { directivePrefix } from './delivery-directives.ts';

const parameter = 'hls_ctx';
/** Valid session ids. Ids of this server consist of 8 characters [0-9a-z], some after `v-`; ids of other servers are similar. */
const contextPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Prefix of session ids from a multivariant playlist. Such a playlist must reference media playlists (RFC 8216 §4.3.4.2). */
const variantPrefix = 'v-';

/** True for a session id from a multivariant playlist: its first request gets the media playlist. */
export function isOfVariant(context: string | undefined): boolean {
  return context?.startsWith(variantPrefix) ?? false;
}

/** Query of the media playlists in a multivariant playlist. @param others parameters of the request. */
export function variantQuery(id: string, others: string): string {
  return mediaQuery(variantPrefix + id, others);
}

/** Undefined if the query has no valid session id. */
export function contextOf(query: string): string | undefined {
  const context = new URLSearchParams(query).get(parameter);
  return context !== null && contextPattern.test(context) ? context : undefined;
}

/**
 * URL of a viewer's playlist: `{path}?hls_ctx={id}` and the viewer's other parameters. The URL is relative (`../` to the root of the
 * server), so that it works behind a proxy with a path prefix. Some clients search the text for the path, so the path is complete. @param
 * target path and query of the request.
 */
export function toMediaUrl(target: string, context: string): string {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const others = queryAt < 0 ? '' : queryOfViewer(target.slice(queryAt)).slice(1);
  return relativeToItself(path) + mediaQuery(context, others);
}

/** Makes a path relative to itself: `/live/x.m3u8` becomes `../live/x.m3u8`. */
function relativeToItself(path: string): string {
  return path.startsWith('/') ? '../'.repeat(path.split('/').length - 2) + path.slice(1) : path;
}

/** Removes parameters that differ between the requests of one viewer: the session id, and directives of RFC 8216bis §6.2.5. */
export function queryOfViewer(query: string): string {
  const pairs = query.replace(/^\?/, '').split('&');
  const kept = pairs.filter(
    (pair) => pair !== '' && pair.split('=')[0] !== parameter && !pair.startsWith(directivePrefix),
  );
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/**
 * Query for every URL in a viewer's playlist, with its question mark; '' if empty. Contains the session id and `carry`, such as the
 * authorization of segments. Valid in quoted attributes.
 */
export function mediaQuery(context: string | undefined, carry: string): string {
  const parts = [context === undefined ? '' : `${parameter}=${context}`, carry].filter((part) => part !== '');
  return parts.length === 0 ? '' : `?${parts.join('&').replaceAll('"', '%22')}`;
}
