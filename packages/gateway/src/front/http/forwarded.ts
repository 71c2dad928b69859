// Address, host and protocol of the client: from the socket or, behind a trusted proxy, from the headers.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { parseNetworks } from '@srs-stack/process/private-networks.ts';

export interface Forwarded {
  readonly for: string;
  readonly proto: 'http' | 'https';
  readonly host: string;
  /** Path at which a proxy publishes this server, such as `/stream`; '' at the root. */
  readonly prefix: string;
}

export type ForwardedResolver = (request: IncomingMessage) => Forwarded;

/**
 * @param trusted addresses or CIDR ranges. IPv4 peers of a dual-stack socket match too.
 * @throws StartRefusal with the invalid entry.
 */
export function createTrustedProxies(trusted: readonly string[]): (address: string) => boolean {
  return parseNetworks('TRUST_PROXY', trusted);
}

/**
 * @param trusted addresses or CIDR ranges (`10.0.0.0/8`) whose X-Forwarded-* headers are trusted.
 * @throws StartRefusal with the invalid entry.
 */
export function createForwardedResolver(trusted: readonly string[]): ForwardedResolver {
  const isTrusted = createTrustedProxies(trusted);
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    const proto = 'encrypted' in request.socket ? 'https' : 'http';
    const host = request.headers.host ?? '';
    if (trusted.length === 0 || !isTrusted(peer)) return { for: peer, proto, host, prefix: '' };
    return {
      for: lastUntrusted(header(request, 'x-forwarded-for'), isTrusted) ?? peer,
      proto: header(request, 'x-forwarded-proto') === 'https' ? 'https' : proto,
      host: header(request, 'x-forwarded-host') || host,
      prefix: toPrefix(header(request, 'x-forwarded-prefix')),
    };
  };
}

/** Longest path prefix, characters. Every line of a playlist contains the prefix. */
const maxPrefixLength = 256;
/** Path segments (RFC 3986 §3.3) without dot segments. Two adjacent slashes are not allowed, because two slashes can start a host name. */
const prefixPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$'()*+;=:@%-]+)+$/;

/** Returns '' for an invalid path. */
function toPrefix(text: string): string {
  const path = text.trim().replace(/\/+$/, '');
  return path.length <= maxPrefixLength && prefixPattern.test(path) ? path : '';
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(',') : value) ?? '';
}

/**
 * The last untrusted address of the chain `client, proxy, proxy`; the first address when all are trusted. Reads from the end, because only
 * entries of trusted proxies are reliable.
 */
function lastUntrusted(chain: string, isTrusted: (address: string) => boolean): string | undefined {
  const hops = chain.split(',').map((hop) => plainAddress(hop.trim()));
  const client = hops.findLast((hop) => !isTrusted(hop)) ?? hops[0];
  return client !== undefined && isIP(client) !== 0 ? client : undefined;
}
