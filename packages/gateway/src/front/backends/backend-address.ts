// Checks the addresses of proxy backends. Link-local, cloud metadata and special addresses, and listeners of this product are forbidden.
// The addresses of host names are checked when connecting.
import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { forbiddenNetworks, unmappedAddress } from '@srs-stack/contract/forbidden-networks.ts';
import { isLoopback } from '@srs-stack/process/ip-address.ts';

const forbidden = new BlockList();
for (const [network, prefix, family] of forbiddenNetworks) forbidden.addSubnet(network, prefix, family);

export class RefusedBackend extends Error {
  override readonly name = 'RefusedBackend';
}

/** @throws RefusedBackend for a forbidden address. */
export function requireAllowed(ip: string, port: number, ownPorts: ReadonlySet<number>): void {
  const plain = unmappedAddress(ip);
  if (forbidden.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6'))
    throw new RefusedBackend(`${ip} is a link-local or special address, which is never contacted`);
  if (ownPorts.has(port) && isOwnAddress(plain)) throw new RefusedBackend(`${ip}:${port} is this server itself`);
}

/** A `lookup` for `http.request` that fails for a forbidden address. The caller must check numeric addresses first. */
export function guardedLookup(port: number, ownPorts: ReadonlySet<number>): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      if (error) return callback(error, address, family);
      try {
        const found = Array.isArray(address) ? address.map((each) => each.address) : [address];
        for (const each of found) requireAllowed(each, port, ownPorts);
      } catch (refusal) {
        return callback(refusal as Error, address, family);
      }
      callback(null, address, family);
    });
  };
}

export function isLiteral(host: string): boolean {
  return isIP(host) !== 0;
}

function isOwnAddress(ip: string): boolean {
  if (isLoopback(ip)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === ip));
}
