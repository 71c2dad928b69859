// Parses the WHIP or WHEP address of a page: a complete `url`, or its parts, as in SRS's own pages.
import { givenAddress, serverRoot } from '../server-root.ts';

export type RtcAction = 'whip' | 'whep';

/** `mixed-content`: an https page may not call an http address. */
export type RtcAddressProblem = 'invalid' | 'scheme' | 'mixed-content';

export type ParsedRtcAddress = { ok: true; url: string } | { ok: false; problem: RtcAddressProblem };

/** Query parameters of the page. All others, e.g. `secret`, `token` and `eip`, are passed to the server. */
const ownParameters = ['url', 'schema', 'server', 'port', 'api', 'vhost', 'app', 'stream', 'autostart', 'lang'];
/** Maximum address length, characters. Browsers and proxies truncate longer addresses. */
const maxUrlLength = 2048;
const defaultVhost = '__defaultVhost__';

/** Reads `url`, or `schema`, `server`, `api` or `port`, `vhost`, `app` and `stream`. Other parameters are passed to the server. */
export function parseRtcQuery(query: URLSearchParams, page: URL, action: RtcAction): ParsedRtcAddress {
  return parseRtcAddress(query.get('url') || addressFromParts(query, page, action), page, action);
}

/** Accepts `http(s)://…`, and converts `webrtc://host/app/stream?query` to an HTTP address. Never throws. */
export function parseRtcAddress(text: string, page: URL, action: RtcAction): ParsedRtcAddress {
  const trimmed = text.trim();
  const isStreamUrl = /^webrtc:\/\//i.test(trimmed);
  // Some browsers cannot parse the host of an unknown scheme.
  const readable = isStreamUrl ? trimmed.replace(/^webrtc:/i, page.protocol) : trimmed;
  if (trimmed === '' || trimmed.length > maxUrlLength || !URL.canParse(readable, page)) {
    return { ok: false, problem: 'invalid' };
  }
  const url = isStreamUrl ? callOfStreamUrl(new URL(readable), page, action) : givenAddress(readable, page);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, problem: 'scheme' };
  // A port serves one protocol, so an address with the page's port uses the page's protocol.
  if (url.host === page.host) url.protocol = page.protocol;
  if (isMixedContent(url, page)) return { ok: false, problem: 'mixed-content' };
  return { ok: true, url: url.href };
}

/** Name of the stream for titles: `app/stream`, or the path if the address has no such parameters. */
export function streamOfRtcAddress(url: string): string {
  const { searchParams, pathname } = new URL(url);
  const stream = searchParams.get('stream');
  return stream ? `${searchParams.get('app') || 'live'}/${stream}` : pathname.replace(/^\/|\/(whip|whep)\/?$/g, '');
}

function addressFromParts(query: URLSearchParams, page: URL, action: RtcAction): string {
  const schema = (query.get('schema') || page.protocol).replace(/:$/, '');
  const server = query.get('server') || page.hostname;
  const requested = query.get('api') || query.get('port');
  const port = requested ?? (query.has('server') ? '' : page.port);
  const call = new URLSearchParams({ app: query.get('app') || 'live', stream: query.get('stream') || 'livestream' });
  const vhost = query.get('vhost');
  if (vhost && vhost !== server && vhost !== defaultVhost) call.set('vhost', vhost);
  for (const [name, value] of query) if (!ownParameters.includes(name)) call.append(name, value);
  const root = query.has('server') ? '/' : serverRoot().pathname;
  return `${schema}://${server}${port === '' ? '' : `:${port}`}${root}rtc/v1/${action}/?${call}`;
}

function callOfStreamUrl(streamUrl: URL, page: URL, action: RtcAction): URL {
  const path = streamUrl.pathname.replace(/^\//, '').split('/').map(decodeURIComponent);
  const stream = path.pop() || 'livestream';
  const root = streamUrl.host === page.host ? serverRoot().pathname : '/';
  const call = new URL(`${root}rtc/v1/${action}/`, streamUrl);
  call.search = `?${new URLSearchParams({ app: path.join('/') || 'live', stream })}`;
  for (const [name, value] of streamUrl.searchParams) call.searchParams.append(name, value);
  return call;
}

/** Loopback over http is allowed from an https page, because browsers trust loopback (Secure Contexts §3.1). */
function isMixedContent(url: URL, page: URL): boolean {
  if (page.protocol !== 'https:' || url.protocol === 'https:') return false;
  return !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
