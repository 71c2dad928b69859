// Groups client addresses for counting wrong passwords: host, site, network.

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { ipv6Groups, plainAddress } from '@srs-stack/process/ip-address.ts';

export interface LoginAddress {
  /** The IPv4 address or the IPv6 /64, because every subscriber has at least a /64. */
  readonly host: string;
  /** IPv6 /48 (one organization or tunnel) or IPv4 /24. */
  readonly site: string;
  /** IPv6 /32 or IPv4 /16 (one provider). */
  readonly network: string;
  /**
   * Loopback or private: a proxy, router or LAN. Many people share such an address. An attacker cannot easily get more private addresses.
   */
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

/** Groups an address. Any other text is a group of its own; connections over a Unix socket have no address. */
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
