// Resolves the host name of a target. All addresses of the name must be allowed. The connection uses a checked address, so a later DNS
// change has no effect.
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { isPrivateAddress } from '@srs-stack/process/private-networks.ts';

/** The host name resolves to a forbidden address. */
export class ForbiddenHostError extends Error {
  readonly code = 'EFORBIDDEN';

  constructor(host: string) {
    super(`${host} resolves to an address that is not allowed`);
    this.name = 'ForbiddenHostError';
  }
}

/** Whether the host allows connections to this numeric address. */
export type MayContact = (address: string) => boolean;

/**
 * A `lookup` function for sockets, which fails with `ForbiddenHostError`. Node calls `lookup` for names only; check numeric addresses with
 * `refuseLiteral`.
 */
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

/** Throws `ForbiddenHostError` for a forbidden numeric address. */
export function refuseLiteral(host: string, mayContact: MayContact): void {
  if (isIP(host) !== 0 && !mayContact(host)) throw new ForbiddenHostError(host);
}

export interface RedirectReachOptions {
  readonly mayContact: MayContact;
  /** Networks into which redirects of a public server may lead; none by default. */
  readonly isNamed?: ((address: string) => boolean) | undefined;
  /** Replaced in tests, where all servers have loopback addresses. */
  readonly isPrivate?: ((address: string) => boolean) | undefined;
}

/**
 * Where the redirects of one source or target may lead. A public server must not redirect into private networks. A server with a private
 * address may, because the operator entered the address.
 */
export class RedirectReach {
  readonly #options: RedirectReachOptions;
  /** Whether the address that the operator entered is private; undefined before the first connection. */
  #isInward: boolean | undefined;

  constructor(options: RedirectReachOptions) {
    this.#options = options;
  }

  /** Call with the address of each connection, starting with the address that the operator entered. */
  note(address: string): void {
    this.#isInward ??= this.#isPrivate(plainAddress(address));
  }

  readonly mayContact: MayContact = (address) => {
    const { mayContact, isNamed } = this.#options;
    if (!mayContact(address)) return false;
    return this.#isInward !== false || !this.#isPrivate(address) || isNamed?.(address) === true;
  };

  /** Whether the error means that a public server redirected into a private network. */
  isInwardError(error: unknown): boolean {
    return error instanceof ForbiddenHostError && this.#isInward === false;
  }

  #isPrivate(address: string): boolean {
    const { isPrivate = isPrivateAddress } = this.#options;
    return isPrivate(address);
  }
}
