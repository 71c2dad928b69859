// Determines the SRS to show from the address of the page; the default is the page's own server. Pure.

export interface ApiAddress {
  /** Origin of the HTTP API. */
  readonly api: string;
  /** Origin of HTTP-FLV and HLS. */
  readonly http: string;
}

/** Why the address in the query cannot be used. */
export type ApiAddressProblem = 'invalid' | 'mixed-content';

/**
 * `api=http://host:1985` selects another server, as do `host`, `port` and `schema`, the fields of SRS's own console; `http` is the port or
 * origin of its streams. If `port` and `http` are equal, as in the links of the Live page, they mean this server.
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

/** Parses an origin; `host:port` without a scheme means http. */
function webUrl(text: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url : undefined;
}
