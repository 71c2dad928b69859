// Reads the address of the SRS server from the page's query; the default is the page's own server. Pure.

export interface ApiAddress {
  /** Origin of the HTTP API. */
  readonly api: string;
  /** Origin of HTTP-FLV and HLS. */
  readonly http: string;
}

/** Why an address in the query cannot be used. */
export type ApiAddressProblem = 'invalid' | 'mixed-content';

/**
 * `api=http://host:1985` selects another server, and `http` the port or origin of its streams. The parameters `host`, `port` and `schema`
 * of SRS's own console also work. Without `host`, a `port` that equals `http` selects this server; the Live page has such links.
 */
export function readApiAddress(query: URLSearchParams, page: URL): ApiAddress | ApiAddressProblem {
  const api = apiOrigin(query, page);
  const http = api && streamOrigin(query, api, page);
  if (!api || !http) return 'invalid';
  if (page.protocol === 'https:' && api.protocol === 'http:') return 'mixed-content';
  return { api: api.origin, http: http.origin };
}

function apiOrigin(query: URLSearchParams, page: URL): URL | undefined {
  const api = query.get('api');
  if (api) return webUrl(api);
  const [host, port] = [query.get('host'), query.get('port')];
  const isOwnPort = !port || port === page.port || port === query.get('http');
  if (!host && isOwnPort) return page;
  const scheme = query.get('schema') || page.protocol.replace(':', '');
  return webUrl(`${scheme}://${host || page.hostname}${port ? `:${port}` : ''}`);
}

function streamOrigin(query: URLSearchParams, api: URL, page: URL): URL | undefined {
  const http = query.get('http');
  if (!http || api.origin === page.origin) return api;
  if (/^\d+$/.test(http)) return webUrl(`${api.protocol}//${api.hostname}:${http}`);
  return webUrl(http);
}

/** Parses an origin; the default scheme is http. */
function webUrl(text: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url : undefined;
}
