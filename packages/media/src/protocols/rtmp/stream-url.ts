// Finds vhost, app and stream in the arguments of connect and publish or play (docs/reference/protocols/rtmp.md "Addresses").

export interface StreamAddress {
  /** From `vhost=` or `domain=`, else the host of the URL; '' when unknown. */
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** All query text with a leading `?`; '' for none. */
  readonly param: string;
}

/** Default instance name of Flash applications; equivalent to no instance. */
const defaultInstance = '_definst_';
/** Encoders without a query field can set a vhost as `app...vhost...NAME`. */
const vhostInApp = /\.\.\.vhost\.\.\.([^/?#]*)/;
/** Old encoders use `#` instead of `?`. */
const queryStart = /[?#]/;

/** `app` is from connect (if empty, from tcUrl), `name` from publish or play. Nothing is validated here. */
export function parseStreamAddress(tcUrl: string, app: string, name: string): StreamAddress {
  const appPart = splitQuery((app || appOfUrl(tcUrl)).replace(vhostInApp, '?vhost=$1'));
  const namePart = splitQuery(name);
  const path = [...pathParts(appPart.path), ...pathParts(namePart.path)].filter((part) => part !== defaultInstance);
  // Some clients send only the application name in `app`, and the query with the secret in the URL.
  const urlQuery = appPart.query === '' ? splitQuery(appOfUrl(tcUrl)).query : '';
  const query = [appPart.query || urlQuery, namePart.query].filter((part) => part !== '').join('&');
  return {
    vhost: vhostOfQuery(query) || hostOfUrl(tcUrl),
    app: path.slice(0, -1).join('/'),
    stream: path.at(-1) ?? '',
    param: query === '' ? '' : `?${query}`,
  };
}

function splitQuery(text: string): { path: string; query: string } {
  const at = text.search(queryStart);
  return at < 0 ? { path: text, query: '' } : { path: text.slice(0, at), query: text.slice(at + 1) };
}

/** Decodes percent encoding: valid names contain no `%`. */
function pathParts(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(percentDecoded);
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function vhostOfQuery(query: string): string {
  const params = new URLSearchParams(query);
  return params.get('vhost') ?? params.get('domain') ?? '';
}

const urlPattern = /^[a-z]+:\/\/(\[[^\]]*\]|[^:/?#]*)(?::\d+)?(?:\/(.*))?$/i;

function hostOfUrl(url: string): string {
  return urlPattern.exec(url)?.[1] ?? '';
}

function appOfUrl(url: string): string {
  return urlPattern.exec(url)?.[2] ?? '';
}
