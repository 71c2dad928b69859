// The numeric addresses of an SRT target, in the order in which they are called.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { ForbiddenHostError, type MayContact } from './reach.ts';

/** Maximum number of addresses of one attempt: a call without a response takes 3 s, and the target must accept within 10 s. */
const maxAddresses = 3;

/** @throws when the name is unknown, or one of its addresses may not be contacted. */
export async function srtAddresses(host: string, mayContact: MayContact): Promise<string[]> {
  const addresses = await lookup(host, { all: true });
  if (!addresses.every(({ address }) => mayContact(address))) throw new ForbiddenHostError(host);
  return alternating(addresses).slice(0, maxAddresses);
}

/** Alternates between address families (RFC 8305, section 4): when one family has no route, the second call uses the other one. */
export function alternating(addresses: readonly LookupAddress[]): string[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const second = addresses.filter(({ family }) => family !== addresses[0]?.family);
  const inTurn = addresses.flatMap((_, index) => [first[index], second[index]]);
  return inTurn.flatMap((each) => (each ? [each.address] : []));
}
