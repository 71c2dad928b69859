// Filters the headers that the proxy forwards in both directions; removes hop-by-hop fields (RFC 9110 §7.6.1). Pure.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { fileHandoverHeader, fileOfferHeader } from '@srs-stack/contract/file-handover.ts';
import type { Forwarded } from './forwarded.ts';

/** Hop-by-hop fields; the front itself handles `expect`. */
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

/** Headers that the front sets itself, or that are not public (docs/reference/protocols/public-http.md). */
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

/** Fields that a `Connection` header declares as hop-by-hop, in addition to the known ones. */
function declaredHops(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection.split(',').map((name) => name.trim().toLowerCase());
}

/**
 * Flat list of name, value, name, value for the control plane; the Host header stays that of the client.
 * @param rawHeaders as received, in order and spelling.
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
  /** Headers of the request as Node parsed them. */
  readonly parsed: IncomingHttpHeaders;
  /** Host header for the backend; undefined keeps the client's. */
  readonly host: string | undefined;
  /** Protocol to switch to; undefined for a plain request. */
  readonly upgrade: 'websocket' | undefined;
  /** Whether a value of a client header is a credential of this server, which is removed. By default nothing is removed. */
  readonly withheld?: (value: string) => boolean;
}

/**
 * Flat list for another web server: end-to-end headers, its own Host, and the client's address. The body length is sent once, as this
 * server parsed it, so that no part of the body can be interpreted as a second request (RFC 9112 §11.2).
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

/** A header without the credentials of this server; undefined when nothing remains. */
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

/** Flat list for the client: the backend's end-to-end headers unchanged, with redirects mapped by `toLocation`. */
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

/** Flat list for the client: the upstream's headers without `notToClient` and `without`, followed by `own`; each name occurs once. */
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
