// Key by which clients are counted for limits per address. Pure.
import { addressGroup, isLoopback } from '@srs-stack/process/ip-address.ts';
import { everybody } from '@srs-stack/process/turn-queue.ts';

/**
 * The address itself; requests of this machine are `everybody`, because a local reverse proxy forwards all clients; of IPv6 the first 64 bits, because a client with one address there usually has the whole network.
 * @param address from `Forwarded.for`.
 */
export function addressKey(address: string): string {
  return isLoopback(address) ? everybody : addressGroup(address);
}
