// `hls_ctx` in request URLs: which viewer asks, and the URL of that viewer's playlist.

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
  const others = queryAt < 0 ? [] : target.slice(queryAt + 1).split('&');
  const kept = others.filter((part) => part !== '' && part.split('=')[0] !== parameter);
  return `${path}?${[`${parameter}=${context}`, ...kept].join('&')}`;
}

/** The query without what differs from request to request of one viewer: the context, and directives of RFC 8216bis §6.2.5. */
export function queryOfViewer(query: string): string {
  const pairs = query.replace(/^\?/, '').split('&');
  const kept = pairs.filter((pair) => pair !== '' && pair.split('=')[0] !== parameter && !pair.startsWith('_HLS_'));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
