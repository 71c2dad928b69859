// Which addresses are one peer for limits: whoever has one IPv6 address has the other 2^64 of its network too.
import { isIPv6 } from 'node:net';

/** IPv4 as it is, with or without `::ffff:`; of IPv6 the first 64 bits (RFC 4291 §2.5.1). Other texts stand for themselves. */
export function addressGroup(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return toGroup(before);
  const after = tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end takes two of the eight parts.
  const missing = 8 - before.length - after.length - (after.at(-1)?.includes('.') ? 1 : 0);
  return toGroup([...before, ...Array<string>(Math.max(0, missing)).fill('0'), ...after]);
}

function toGroup(parts: readonly string[]): string {
  const first = parts.slice(0, 4).map((part) => Number.parseInt(part, 16).toString(16));
  return `${first.join(':')}::/64`;
}
