// Consecutive wrong passwords per host. Limits per site and network keep one attacker from filling the table. Entries stay until they
// expire, so a full table has no room for a new host.
import type { LoginAddress } from './login-address.ts';

/**
 * Failures of a host expire this long after the last failure, milliseconds. An attacker who waits for the expiry gets fewer guesses than an
 * attacker who continues.
 */
export const forgetAfterMs = 24 * 3_600_000;
/** Maximum number of hosts in the table. A full table takes 18 MB. */
export const maxHosts = 65_536;
/** Maximum number of hosts per IPv6 /48. An IPv4 /24 has no more hosts. */
export const maxHostsPerSite = 256;
/** Maximum number of hosts per IPv6 /32 or IPv4 /16. */
export const maxHostsPerNetwork = 16_384;

export interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

interface Entry extends Failures {
  readonly address: LoginAddress;
}

export interface FailureTable {
  get(address: LoginAddress, nowMs: number): Failures | undefined;
  hasRoom(address: LoginAddress, nowMs: number): boolean;
  /** Number of hosts with failures in the site and in the network of `address`. */
  neighbours(address: LoginAddress): { readonly site: number; readonly network: number };
  /** Adds a failure. Does nothing if the host does not fit into the table. */
  add(address: LoginAddress, nowMs: number): void;
  delete(address: LoginAddress): void;
}

export function createFailureTable(): FailureTable {
  /** Sorted by last failure, oldest first. */
  const entries = new Map<string, Entry>();
  const counts = new Map<string, number>();
  const count = (key: string, change: 1 | -1) => {
    const next = (counts.get(key) ?? 0) + change;
    if (next > 0) counts.set(key, next);
    else counts.delete(key);
  };
  const remove = (address: LoginAddress) => {
    if (!entries.delete(address.host)) return;
    count(address.site, -1);
    count(`network ${address.network}`, -1);
  };
  const dropForgotten = (nowMs: number) => {
    for (const { address, lastMs } of entries.values()) {
      if (nowMs - lastMs < forgetAfterMs) return;
      remove(address);
    }
  };
  const hasRoom = ({ host, site, network }: LoginAddress, nowMs: number) => {
    dropForgotten(nowMs);
    if (entries.has(host)) return true;
    const isFull = entries.size >= maxHosts || (counts.get(`network ${network}`) ?? 0) >= maxHostsPerNetwork;
    return !isFull && (counts.get(site) ?? 0) < maxHostsPerSite;
  };
  return {
    get(address, nowMs) {
      const entry = entries.get(address.host);
      return entry && nowMs - entry.lastMs < forgetAfterMs ? entry : undefined;
    },
    hasRoom,
    neighbours: ({ site, network }) => ({
      site: counts.get(site) ?? 0,
      network: counts.get(`network ${network}`) ?? 0,
    }),
    add(address, nowMs) {
      if (!hasRoom(address, nowMs)) return;
      const before = entries.get(address.host)?.count ?? 0;
      remove(address);
      entries.set(address.host, { address, count: before + 1, lastMs: nowMs });
      count(address.site, 1);
      count(`network ${address.network}`, 1);
    },
    delete: remove,
  };
}
