// Resolves names while connecting. Fails when any address is forbidden, so that a changed DNS record cannot bypass an earlier check.
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isForbiddenAddress } from './address-rule.ts';

export class RefusedAddress extends Error {}

/** The `lookup` of `net.connect`. Not called for literal addresses, which `isForbiddenHost` checks. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, options, (error, address, family) => {
    const found = typeof address === 'string' ? [address] : (address ?? []).map((each) => each.address);
    const refused = error ? undefined : found.find(isForbiddenAddress);
    const failure =
      refused === undefined
        ? error
        : new RefusedAddress(`${hostname} resolves to ${refused}, which is never contacted`);
    callback(failure, address as string, family);
  });
};

/** Whether the host is a literal address that must not be contacted. */
export function isForbiddenHost(host: string): boolean {
  return isIP(host) > 0 && isForbiddenAddress(host);
}
