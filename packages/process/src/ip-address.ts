// IP addresses as text: their canonical form, and the groups that count as one client in per-address limits. Pure.
import { isIP, isIPv6, SocketAddress } from 'node:net';

const colon = 0x3a;

/** Converts an IPv4-mapped address such as `::ffff:1.2.3.4` (RFC 4291 §2.5.5.2) to `1.2.3.4`. Returns any other text unchanged. */
export function plainAddress(address: string): string {
  // A fast path for IPv4, because this function runs several times per request.
  return address.charCodeAt(0) !== colon ? address : address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Canonical form: dotted IPv4, or IPv6 shortened by RFC 5952 §4. Returns any other text unchanged. */
export function canonicalAddress(ip: string): string {
  const plain = plainAddress(ip).replace(/%.*$/, '');
  return isIPv6(plain) ? new SocketAddress({ address: plain, family: 'ipv6' }).address : plain;
}

/** True for `localhost`, 127.0.0.0/8, `::1` and IPv4-mapped loopback. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address.toLowerCase());
  return plain === 'localhost' || plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4);
}

/**
 * Key for per-address limits: an IPv4 address, or the /64 network of an IPv6 address, because one client usually has a whole /64 (RFC 4291
 * §2.5.1). Returns any other text unchanged.
 */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') && isIPv6(plain) ? `${ipv6Groups(plain).slice(0, 4).join(':')}::/64` : plain;
}

/** The eight groups of an IPv6 address in lower case, without leading zeros and without the zone. */
export function ipv6Groups(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const left = toGroups(head);
  const right = toGroups(tail ?? '');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(gap).fill('0'), ...right];
}

/** A trailing IPv4 address replaces two groups. */
function toGroups(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16).toString(16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  });
}
