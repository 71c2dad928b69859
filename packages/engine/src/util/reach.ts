// Which addresses a target's host name leads to. All of them must be allowed: the address that is judged is the one connected to, so a
// name that changes between the judgement and the connection gains nothing.
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** The host leads to an address that is never contacted. */
export class ForbiddenHostError extends Error {
  readonly code = 'EFORBIDDEN';

  constructor(host: string) {
    super(`${host} leads to an address that is never contacted`);
    this.name = 'ForbiddenHostError';
  }
}

/** Whether the host allows connections to that numeric address. */
export type MayContact = (address: string) => boolean;

/** For sockets: as Node's own, and fails with `ForbiddenHostError`. Node asks it for names only; see `refuseLiteral`. */
export function guardedLookup(mayContact: MayContact): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      if (!addresses.every(({ address }) => mayContact(address))) return callback(new ForbiddenHostError(host), '');
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family);
    });
  };
}

/** Throws `ForbiddenHostError` for a numeric address that may not be contacted. */
export function refuseLiteral(host: string, mayContact: MayContact): void {
  if (isIP(host) !== 0 && !mayContact(host)) throw new ForbiddenHostError(host);
}
