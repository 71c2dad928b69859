// Filters the headers that the proxy forwards in both directions. Removes hop-by-hop fields (RFC 9110 §7.6.1). Pure.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { fileHandoverHeader, fileOfferHeader } from '@srs-stack/contract/file-handover.ts';
import type { Forwarded } from './forwarded.ts';

/** Hop-by-hop fields, and `expect`, which the front handles. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'proxy-authorization',
  'expect',
];
/** Headers about the client, which the front replaces with verified values. */
const claimed = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-real-ip',
];
/** Headers between gateway and control plane only. */
const internal = [fileOfferHeader, fileHandoverHeader];
const notToPlatform = new Set([...hopByHop, ...claimed, ...internal, 'content-length']);

/** Headers that the front sets, or that are not public (docs/reference/protocols/public-http.md). */
const notToClient = new Set([
  ...hopByHop,
  ...internal,
  'server',
  'access-control-allow-origin',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-credentials',
  'access-control-allow-private-network',
  'access-control-expose-headers',
  'access-control-request-private-network',
]);

/** Additional hop-by-hop fields that a `Connection` header declares. */
function declaredHops(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection.split(',').map((name) => name.trim().toLowerCase());
}

/**
 * Headers for the control plane as a flat list of names and values. The Host header is unchanged.
 * @param rawHeaders as received, with order and spelling.
 */
export function toPlatformHeaders(rawHeaders: readonly string[], forwarded: Forwarded, connection?: string): string[] {
  const dropped = declaredHops(connection);
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (notToPlatform.has(lower) || dropped.includes(lower)) continue;
    headers.push(name, rawHeaders[index + 1] as string);
  }
  headers.push(...whoAsked(forwarded));
  return headers;
}

export interface BackendHeaderFacts {
  readonly parsed: IncomingHttpHeaders;
  /** Host header for the backend; undefined keeps the client's Host header. */
  readonly host: string | undefined;
  /** Protocol for an upgrade; undefined for a plain request. */
  readonly upgrade: 'websocket' | undefined;
  /** Whether a header value is a credential of this server. Credentials are removed. By default, nothing is removed. */
  readonly withheld?: (value: string) => boolean;
}

/**
 * Headers for a backend as a flat list: end-to-end headers, the backend's Host, and the client's address. The body length is sent once, as
 * this server parsed it. A backend can therefore not interpret a part of the body as a second request (RFC 9112 §11.2).
 */
export function toBackendHeaders(
  rawHeaders: readonly string[],
  forwarded: Forwarded,
  facts: BackendHeaderFacts,
): string[] {
  const { parsed, withheld = () => false } = facts;
  const dropped = new Set([
    ...hopByHop,
    ...claimed,
    ...internal,
    'content-length',
    ...declaredHops(parsed.connection),
    ...(facts.host ? ['host'] : []),
  ]);
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (dropped.has(lower)) continue;
    const value = withoutOwn(lower, rawHeaders[index + 1] as string, withheld);
    if (value !== undefined) headers.push(name, value);
  }
  if (facts.host) headers.push('Host', facts.host);
  if (facts.upgrade) headers.push('Connection', 'Upgrade', 'Upgrade', facts.upgrade);
  if (parsed['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  else if (parsed['content-length'] !== undefined) headers.push('Content-Length', parsed['content-length']);
  headers.push(...whoAsked(forwarded));
  return headers;
}

function whoAsked({ for: client, proto, host, prefix }: Forwarded): string[] {
  const headers = ['X-Forwarded-For', client, 'X-Forwarded-Proto', proto, 'X-Forwarded-Host', host];
  return prefix === '' ? headers : [...headers, 'X-Forwarded-Prefix', prefix];
}

/** The header value without credentials of this server; undefined when nothing remains. */
function withoutOwn(name: string, value: string, withheld: (value: string) => boolean): string | undefined {
  if (name === 'authorization') return withheld(value.replace(/^\s*bearer\s+/i, '')) ? undefined : value;
  if (name !== 'cookie') return value;
  const kept = value.split(';').filter(
    (pair) =>
      !withheld(
        pair
          .slice(pair.indexOf('=') + 1)
          .trim()
          .replaceAll('"', ''),
      ),
  );
  return kept.length > 0 ? kept.join(';').trim() : undefined;
}

/** Headers for the client as a flat list: the backend's end-to-end headers, with redirects mapped by `toLocation`. */
export function toPassedHeaders(response: IncomingMessage, toLocation: (value: string) => string): string[] {
  const dropped = new Set([...hopByHop, ...internal, ...declaredHops(response.headers.connection)]);
  const headers: string[] = [];
  for (let index = 0; index + 1 < response.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = response.rawHeaders.slice(index, index + 2);
    if (dropped.has(name.toLowerCase())) continue;
    headers.push(name, name.toLowerCase() === 'location' ? toLocation(value) : value);
  }
  return headers;
}

/**
 * Headers for the client as a flat list: those of `upstream` except `notToClient`, `without` and fields named in `Connection`; then `own`.
 * A header with several values, such as `set-cookie`, is repeated.
 */
export function toClientHeaders(
  upstream: IncomingHttpHeaders,
  own: readonly string[],
  without: readonly string[] = [],
): string[] {
  const dropped = declaredHops(upstream.connection);
  const headers: string[] = [];
  for (const name in upstream) {
    if (notToClient.has(name) || dropped.includes(name) || without.includes(name)) continue;
    const value = upstream[name];
    if (Array.isArray(value)) for (const each of value) headers.push(name, each);
    else if (value !== undefined) headers.push(name, value);
  }
  headers.push(...own);
  return headers;
}
