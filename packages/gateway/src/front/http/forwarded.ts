// Who the client is and how it came: the socket decides, unless the peer is a proxy the operator trusts.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';

export interface Forwarded {
  /** Address of the client. */
  readonly for: string;
  readonly proto: 'http' | 'https';
  /** Host the client asked for, port included. */
  readonly host: string;
  /** Path below which a proxy publishes this server, without a slash at the end: `/stream`. '' at the root. */
  readonly prefix: string;
}

export type ForwardedResolver = (request: IncomingMessage) => Forwarded;

/**
 * @param trusted addresses or CIDR ranges; an IPv4 address may also be given as a dual-stack socket shows it.
 * @throws StartRefusal naming the entry that is no address.
 */
export function createTrustedProxies(trusted: readonly string[]): (address: string) => boolean {
  const proxies = toBlockList(trusted);
  return (address) => {
    const plain = plainAddress(address);
    const family = isIP(plain);
    return family !== 0 && proxies.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/**
 * @param trusted addresses or CIDR ranges (`10.0.0.0/8`) whose X-Forwarded-* headers are believed.
 * @throws StartRefusal naming the entry that is no address.
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

/** Longest path prefix that is believed, characters: it stands in every line of a playlist. */
const maxPrefixLength = 256;
/** Segments of a path (RFC 3986 §3.3) without a dot segment; never two slashes, which would name a host. */
const prefixPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$'()*+;=:@%-]+)+$/;

/** '' for what is no path. */
function toPrefix(text: string): string {
  const path = text.trim().replace(/\/+$/, '');
  return path.length <= maxPrefixLength && prefixPattern.test(path) ? path : '';
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(',') : value) ?? '';
}

/** The chain is `client, proxy, proxy`: only what a trusted proxy appended is true, so it is read from the end. */
function lastUntrusted(chain: string, isTrusted: (address: string) => boolean): string | undefined {
  const hops = chain.split(',').map((hop) => plainAddress(hop.trim()));
  const client = hops.findLast((hop) => !isTrusted(hop)) ?? hops[0];
  return client !== undefined && isIP(client) !== 0 ? client : undefined;
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? undefined : Number(prefix);
    const mostBits = family === 6 ? 128 : 32;
    if (family === 0 || (bits !== undefined && !(Number.isInteger(bits) && bits >= 0 && bits <= mostBits))) {
      throw new StartRefusal(`Cannot start: TRUST_PROXY holds "${entry}", which is no address or range.`);
    }
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, bits, type);
  }
  return list;
}
