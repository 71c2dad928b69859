// Resolves an SRT target to numeric addresses, in the order of the calls.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { ForbiddenHostError, type MayContact } from './reach.ts';

/** Maximum number of addresses of one attempt. Each address without a response takes 3 s, and an attempt has 10 s. */
const maxAddresses = 3;

/** Throws when the name is unknown or an address is forbidden. */
export async function srtAddresses(host: string, mayContact: MayContact): Promise<string[]> {
  const addresses = await lookup(host, { all: true });
  if (!addresses.every(({ address }) => mayContact(address))) throw new ForbiddenHostError(host);
  return alternating(addresses).slice(0, maxAddresses);
}

/** Alternates between IPv4 and IPv6 (RFC 8305, section 4). When one family has no route, only every second call fails. */
export function alternating(addresses: readonly LookupAddress[]): string[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const second = addresses.filter(({ family }) => family !== addresses[0]?.family);
  const inTurn = addresses.flatMap((_, index) => [first[index], second[index]]);
  return inTurn.flatMap((each) => (each ? [each.address] : []));
}
