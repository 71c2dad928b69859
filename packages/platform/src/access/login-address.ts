// Groups a client address for counting password guesses: host, site, network. Pure.

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { ipv6Groups, plainAddress } from '@srs-stack/process/ip-address.ts';

export interface LoginAddress {
  /** The IPv4 address, or the /64 of IPv6, because every subscriber has at least a /64. */
  readonly host: string;
  /** IPv6 /48, the size of one organization or tunnel; or IPv4 /24. */
  readonly site: string;
  /** IPv4 /16 or IPv6 /32, the size of one provider. */
  readonly network: string;
  /** Loopback or private: a proxy, a router or a LAN. Many people share it, and an attacker cannot get new ones for free. */
  readonly isPrivate: boolean;
}

const privateNetworks = new BlockList();
privateNetworks.addSubnet('127.0.0.0', 8);
privateNetworks.addSubnet('10.0.0.0', 8);
privateNetworks.addSubnet('172.16.0.0', 12);
privateNetworks.addSubnet('192.168.0.0', 16);
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** Groups an address. Accepts any text, because a Unix socket has no address; such a text is its own group. */
export function loginAddressOf(text: string): LoginAddress {
  const plain = plainAddress(text);
  if (isIPv4(plain)) {
    const bytes = plain.split('.');
    const [site, network] = [bytes.slice(0, 3).join('.'), bytes.slice(0, 2).join('.')];
    return { host: plain, site, network, isPrivate: privateNetworks.check(plain) };
  }
  if (!isIPv6(plain)) return { host: plain, site: plain, network: plain, isPrivate: true };
  const groups = ipv6Groups(plain);
  const prefix = (count: number) => groups.slice(0, count).join(':');
  return {
    host: `${prefix(4)}::/64`,
    site: `${prefix(3)}::/48`,
    network: `${prefix(2)}::/32`,
    isPrivate: privateNetworks.check(plain, 'ipv6'),
  };
}
