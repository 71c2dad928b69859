// Tests whether an address is in a private network (RFC 1918, RFC 6598, RFC 4193, loopback), and parses lists of networks from operators.
import { BlockList, isIP } from 'node:net';
import { plainAddress } from './ip-address.ts';
import { StartRefusal } from './start-refusal.ts';

const privateRanges: readonly string[] = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8'],
  ...['fc00::/7', '::1/128'],
];

export type IsInNetworks = (address: string) => boolean;

/**
 * @param entries addresses, CIDR ranges, or `private` for all private networks.
 * @throws StartRefusal naming the variable and the invalid entry.
 */
export function parseNetworks(variable: string, entries: readonly string[]): IsInNetworks {
  const list = new BlockList();
  const ranges = entries.flatMap((entry) => (entry.toLowerCase() === 'private' ? privateRanges : [entry]));
  for (const range of ranges) {
    if (!addRange(list, range)) {
      throw new StartRefusal(`Cannot start: ${variable} contains "${range}", which is not an address or range.`);
    }
  }
  return (address) => {
    const plain = plainAddress(address).replace(/%.*$/, '');
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}

export const isPrivateAddress: IsInNetworks = parseNetworks('private networks', privateRanges);

function addRange(list: BlockList, range: string): boolean {
  const [address = '', prefix] = range.split('/');
  const family = isIP(address);
  const mostBits = family === 6 ? 128 : 32;
  const bits = prefix === undefined ? mostBits : Number(prefix);
  if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > mostBits) return false;
  list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  return true;
}
