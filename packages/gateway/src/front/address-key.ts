// What counts as one client where places are limited per address. Pure.
import { addressGroup } from '@srs-stack/engine';

/** Requests of this machine: a reverse proxy on it speaks for everybody, so that no share of an address applies. */
export const everybody = '';

/**
 * The address itself; of IPv6 the first 64 bits, because whoever has one address there has all of them.
 * @param address as `Forwarded.for` gives it.
 */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain === '::1' || plain.startsWith('127.') ? everybody : addressGroup(plain);
}
