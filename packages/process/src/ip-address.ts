// IP addresses as texts: one spelling for each, and what counts as one peer where something is limited per address. Pure.
import { isIP, isIPv6 } from 'node:net';

const colon = 0x3a;

/** An IPv4 peer of a dual-stack socket comes as `::ffff:1.2.3.4` (RFC 4291 §2.5.5.2): here it is `1.2.3.4`. Other texts stay. */
export function plainAddress(address: string): string {
  // Asked several times for every request: the text of an IPv4 address needs no look at the rest.
  return address.charCodeAt(0) !== colon ? address : address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** True for `localhost`, 127.0.0.0/8, `::1` and IPv4-mapped loopback. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address.toLowerCase());
  return plain === 'localhost' || plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4);
}

/**
 * Whoever has one IPv6 address has the other 2^64 of its network too: IPv4 as it is, of IPv6 the first 64 bits
 * (RFC 4291 §2.5.1). Other texts stand for themselves.
 */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') && isIPv6(plain) ? `${ipv6Groups(plain).slice(0, 4).join(':')}::/64` : plain;
}

/** The eight groups of an IPv6 address in lower case without leading zeros, so that one network has one spelling; no zone. */
export function ipv6Groups(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const left = toGroups(head);
  const right = toGroups(tail ?? '');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(gap).fill('0'), ...right];
}

/** An IPv4 address at the end stands for two groups. */
function toGroups(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16).toString(16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  });
}
