// `hls_ctx` in request URLs: which viewer asks, and the URL of that viewer's playlist.

import { directivePrefix } from './delivery-directives.ts';

const parameter = 'hls_ctx';
/** What a context id may look like: ours are 8 of [0-9a-z], other servers' similar. */
const contextPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Undefined when the query has no (usable) context. */
export function contextOf(query: string): string | undefined {
  const context = new URLSearchParams(query).get(parameter);
  return context !== null && contextPattern.test(context) ? context : undefined;
}

/** `{path}?hls_ctx={id}` with the other parameters of the request behind it. `target` is the request's path and query. */
export function toMediaUrl(target: string, context: string): string {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  return path + toMediaQuery(queryAt < 0 ? '' : target.slice(queryAt), context);
}

/**
 * The query that a viewer's request hands on to the addresses in its playlist, with its question mark: its context, and whatever
 * else it came with but what was meant for the playlist alone. '' when there is nothing. It fits into a quoted attribute.
 */
export function toMediaQuery(query: string, context: string | undefined): string {
  const others = query.slice(1).split('&');
  const isKept = (part: string): boolean => {
    const name = part.split('=', 1)[0]!;
    return part !== '' && name !== parameter && !name.startsWith(directivePrefix);
  };
  const parts = [...(context === undefined ? [] : [`${parameter}=${context}`]), ...others.filter(isKept)];
  return parts.length === 0 ? '' : `?${parts.join('&').replaceAll('"', '%22')}`;
}
