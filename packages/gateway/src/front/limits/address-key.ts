// Key of a client for limits per address. Pure.
import { addressGroup, isLoopback } from '@srs-stack/process/ip-address.ts';
import { everybody } from '@srs-stack/process/turn-queue.ts';

/**
 * Normally the address. For IPv6 its first 64 bits, because a client usually has the whole network. Requests from this machine are
 * `everybody`, because a local reverse proxy forwards all clients.
 * @param address from `Forwarded.for`.
 */
export function addressKey(address: string): string {
  return isLoopback(address) ? everybody : addressGroup(address);
}
