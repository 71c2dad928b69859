// Source addresses of an attack. Limits for clients do not apply to loopback. So addresses of documentation networks
// (RFC 5737, RFC 3849) become local addresses during a test, which needs permission to change routes.
import { spawnSync } from 'node:child_process';

export const sources = ['one address', 'ten addresses', 'ten of one /64'] as const;
export type Source = (typeof sources)[number];

/** Local address of a peer, and the address of the product for this peer. */
export interface Origin {
  readonly localAddress: string;
  readonly host: string;
}

const ten = Array.from({ length: 10 }, (_, index) => index + 1);
const ipv4 = {
  network: '198.51.100.0/24',
  addresses: ten.map((last) => `198.51.100.${last}`),
  target: '198.51.100.254',
};
const ipv6 = { addresses: ten.map((last) => `2001:db8:7:7::${last}`), target: '2001:db8:7:7::ff' };
/**
 * For IPv4, one local route makes a whole network local. For IPv6, each address is added to an interface: programs
 * can bind an IPv6 address only if an interface has the address.
 */
const routes = [
  { family: '-4', names: ['route', 'local', ipv4.network] },
  ...[...ipv6.addresses, ipv6.target].map((address) => ({ family: '-6', names: ['address', `${address}/128`] })),
];

export class AttackSources {
  readonly #hasIpv4: boolean;
  readonly #hasIpv6: boolean;

  constructor(hasIpv4: boolean, hasIpv6: boolean) {
    this.#hasIpv4 = hasIpv4;
    this.#hasIpv6 = hasIpv6;
  }

  static open(): AttackSources {
    const [hasIpv4, ...ipv6Added] = routes.map((each) => change('replace', each));
    const hasIpv6 = ipv6Added.every(Boolean);
    if (!hasIpv4 || !hasIpv6) console.info('some attacks use loopback addresses: no permission to add routes');
    return new AttackSources(hasIpv4 === true, hasIpv6);
  }

  /** Source addresses of an attack; undefined if this machine does not have them. */
  originsOf(source: Source, isLoopbackOnly: boolean): Origin[] | undefined {
    if (source === 'ten of one /64') {
      if (isLoopbackOnly || !this.#hasIpv6) return undefined;
      return ipv6.addresses.map((localAddress) => ({ localAddress, host: ipv6.target }));
    }
    const origins =
      isLoopbackOnly || !this.#hasIpv4
        ? ten.map((last) => ({ localAddress: `127.7.${last}.1`, host: '127.0.0.1' }))
        : ipv4.addresses.map((localAddress) => ({ localAddress, host: ipv4.target }));
    return source === 'one address' ? origins.slice(0, 1) : origins;
  }

  /** Idempotent. */
  close(): void {
    for (const each of routes) change('del', each);
  }
}

function change(action: 'replace' | 'del', { family, names: [object, ...names] }: (typeof routes)[number]): boolean {
  return spawnSync('ip', [family, object!, action, ...names, 'dev', 'lo']).status === 0;
}
