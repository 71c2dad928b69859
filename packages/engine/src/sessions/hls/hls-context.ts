// `hls_ctx` in request URLs: the viewer's session, and the URL of its playlist.

import { directivePrefix } from './delivery-directives.ts';

const parameter = 'hls_ctx';
/** Format of a context id: 8 of [0-9a-z] here, similar in other servers. */
const contextPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Prefix of contexts from a multivariant playlist, which must reference media playlists, RFC 8216 §4.3.4.2. */
const variantPrefix = 'v-';

/** True for a context whose first request gets the media playlist. */
export function isOfVariant(context: string | undefined): boolean {
  return context?.startsWith(variantPrefix) ?? false;
}

/** Query of the playlists in a multivariant playlist; `others` are the parameters of its own request. */
export function variantQuery(id: string, others: string): string {
  return mediaQuery(variantPrefix + id, others);
}

/** Undefined when the query has no valid context. */
export function contextOf(query: string): string | undefined {
  const context = new URLSearchParams(query).get(parameter);
  return context !== null && contextPattern.test(context) ? context : undefined;
}

/**
 * URL of a viewer's playlist: `{path}?hls_ctx={id}` followed by the other parameters of the viewer. It starts with `../` to the root of
 * this server, so that it also works behind a proxy with a path prefix. Clients that search the text for the path find it.
 * @param target path and query of the request.
 */
export function toMediaUrl(target: string, context: string): string {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const others = queryAt < 0 ? '' : queryOfViewer(target.slice(queryAt)).slice(1);
  return relativeToItself(path) + mediaQuery(context, others);
}

/** Returns the path relative to itself: `/live/x.m3u8` becomes `../live/x.m3u8`. */
function relativeToItself(path: string): string {
  return path.startsWith('/') ? '../'.repeat(path.split('/').length - 2) + path.slice(1) : path;
}

/** The query without parameters that vary between requests of one viewer: the context, and directives of RFC 8216bis §6.2.5. */
export function queryOfViewer(query: string): string {
  const pairs = query.replace(/^\?/, '').split('&');
  const kept = pairs.filter(
    (pair) => pair !== '' && pair.split('=')[0] !== parameter && !pair.startsWith(directivePrefix),
  );
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/**
 * Query of every URL in a viewer's playlist, with its question mark: the viewer's context, and the parameter that authorizes segments. ''
 * when there is neither. It is also valid in quoted attributes.
 */
export function mediaQuery(context: string | undefined, carry: string): string {
  const parts = [context === undefined ? '' : `${parameter}=${context}`, carry].filter((part) => part !== '');
  return parts.length === 0 ? '' : `?${parts.join('&').replaceAll('"', '%22')}`;
}
