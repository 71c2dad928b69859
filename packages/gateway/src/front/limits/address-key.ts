import { addressGroup, isLoopback } from '@srs-stack/process/ip-address.ts';
import { everybody } from '@srs-stack/process/turn-queue.ts';

/**
 * Key of a client for limits per address: the IPv4 address, or the first 64 bits of an IPv6 address, because a client usually has a network
 * of this size. `everybody` for this machine, because a local reverse proxy forwards all clients. Pure.
 * @param address from `Forwarded.for`.
 */
export function addressKey(address: string): string {
  return isLoopback(address) ? everybody : addressGroup(address);
}
