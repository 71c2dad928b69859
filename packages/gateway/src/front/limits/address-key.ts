// What counts as one client where places are limited per address. Pure.
import { addressGroup, isLoopback } from '@srs-stack/process/ip-address.ts';

/** Requests of this machine: a reverse proxy on it speaks for everybody, so that no share of an address applies. */
export const everybody = '';

/**
 * The address itself; of IPv6 the first 64 bits, because whoever has one address there has all of them.
 * @param address as `Forwarded.for` gives it.
 */
export function addressKey(address: string): string {
  return isLoopback(address) ? everybody : addressGroup(address);
}
