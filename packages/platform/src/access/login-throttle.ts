// Slows password guessing, at login and by viewers, without locking the owner out (docs/decisions/login-throttle.md). Known browsers and
// addresses have separate limits. Every other address has its own failure counter. Addresses in a full network share one budget.
import { createFailureTable, type Failures, forgetAfterMs } from './failure-table.ts';
import { type LoginAddress, loginAddressOf } from './login-address.ts';
import { createSeenOnce } from './seen-once.ts';

/** Failures without a wait, because the owner makes typing errors. */
export const freeFailures = 3;
/** Wait after the first failure beyond `freeFailures`, milliseconds. Each further failure doubles the wait. */
export const firstDelayMs = 1_000;
/** Longest wait of an unknown address, milliseconds. Limits the address to 24 guesses a day. */
export const maxDelayMs = 3_600_000;
/** Longest wait for clients that may be the owner, milliseconds: known browsers and addresses, and private addresses (proxy, router). */
export const maxSharedDelayMs = 60_000;
/** Burst of guesses for all addresses that do not fit into the failure table. */
export const crowdBurst = 100;
export const crowdRefillPerSecond = 1;
/** Maximum number of remembered addresses of the owner. A new address replaces the oldest address. */
const maxTrustedAddresses = 64;
/** Maximum number of failure counters for known browsers and addresses. */
const maxDevices = 1_024;

interface LoginClient {
  readonly address: string;
  /** Id of a browser that logged in before; undefined without a valid cookie. */
  readonly device?: string | undefined;
}

export interface LoginThrottle {
  /** Time until this client may try again, milliseconds; 0 for now. */
  waitMs(client: LoginClient, nowMs: number): number;
  /**
   * Position of this client in the queue of attempts; a higher number waits longer. Each failure of the client adds one. Failing hosts in
   * the network add a logarithm of their number, because an attacker may have many addresses.
   */
  suspicion(client: LoginClient, nowMs: number): number;
  onFailure(client: LoginClient, nowMs: number): void;
  onSuccess(client: LoginClient): void;
  trustedAddresses(): string[];
}

/** `longestDelayMs` limits the wait of unknown addresses. Private addresses wait at most `maxSharedDelayMs`. */
export function createLoginThrottle(
  trustedAddresses: readonly string[],
  startMs: number,
  longestDelayMs = maxDelayMs,
): LoginThrottle {
  const known = new Map<string, Failures>();
  const unknownClients = createFailureTable();
  const trusted = new Set(trustedAddresses.slice(-maxTrustedAddresses));
  const crowd = createCrowd(startMs);

  const knownKey = ({ device }: LoginClient, { host }: LoginAddress): string | undefined => {
    if (device !== undefined) return `device ${device}`;
    return trusted.has(host) ? host : undefined;
  };

  return {
    waitMs(client, nowMs) {
      const address = loginAddressOf(client.address);
      const key = knownKey(client, address);
      if (key !== undefined) return waitAfter(known.get(key), maxSharedDelayMs, nowMs);
      if (!unknownClients.hasRoom(address, nowMs)) return crowd.waitMs(address.host, nowMs);
      const longestMs = address.isPrivate ? Math.min(maxSharedDelayMs, longestDelayMs) : longestDelayMs;
      return waitAfter(unknownClients.get(address, nowMs), longestMs, nowMs);
    },
    suspicion(client, nowMs) {
      const address = loginAddressOf(client.address);
      const key = knownKey(client, address);
      if (key !== undefined) return known.get(key)?.count ?? 0;
      const { site, network } = unknownClients.neighbours(address);
      return (unknownClients.get(address, nowMs)?.count ?? 0) + Math.log2(1 + site) + Math.log2(1 + network);
    },
    onFailure(client, nowMs) {
      const address = loginAddressOf(client.address);
      const key = knownKey(client, address);
      if (key !== undefined) addFailure(known, key, nowMs);
      else if (unknownClients.hasRoom(address, nowMs)) unknownClients.add(address, nowMs);
      else crowd.onFailure(address.host, nowMs);
    },
    onSuccess(client) {
      const address = loginAddressOf(client.address);
      if (client.device !== undefined) known.delete(`device ${client.device}`);
      known.delete(address.host);
      unknownClients.delete(address);
      trusted.delete(address.host);
      trusted.add(address.host);
      dropOldest(trusted, maxTrustedAddresses);
    },
    trustedAddresses: () => [...trusted],
  };
}

function addFailure(known: Map<string, Failures>, key: string, nowMs: number): void {
  const before = known.get(key);
  const isRecent = before !== undefined && nowMs - before.lastMs < forgetAfterMs;
  known.delete(key);
  known.set(key, { count: isRecent ? before.count + 1 : 1, lastMs: nowMs });
  dropOldest(known, maxDevices);
}

/** Shared budget of hosts that do not fit into the failure table. The first guess of each host is free. */
function createCrowd(startMs: number) {
  const seen = createSeenOnce();
  let forgottenMs = startMs;
  let budget = { tokens: crowdBurst, atMs: startMs };
  const refilled = (nowMs: number) => {
    const gained = (Math.max(0, nowMs - budget.atMs) / 1000) * crowdRefillPerSecond;
    return Math.min(crowdBurst, budget.tokens + gained);
  };
  const isNew = (host: string, nowMs: number) => {
    if (nowMs - forgottenMs >= forgetAfterMs) {
      seen.forget();
      forgottenMs = nowMs;
    }
    return !seen.has(host);
  };
  return {
    waitMs(host: string, nowMs: number) {
      if (isNew(host, nowMs)) return 0;
      return (Math.max(0, 1 - refilled(nowMs)) * 1000) / crowdRefillPerSecond;
    },
    onFailure(host: string, nowMs: number) {
      if (isNew(host, nowMs)) seen.add(host);
      else budget = { tokens: Math.max(0, refilled(nowMs) - 1), atMs: nowMs };
    },
  };
}

/** Remaining wait, milliseconds. Never longer than the whole wait, even if the clock is set back. */
function waitAfter(failures: Failures | undefined, longestMs: number, nowMs: number): number {
  if (!failures || failures.count <= freeFailures) return 0;
  const delayMs = Math.min(longestMs, firstDelayMs * 2 ** Math.min(failures.count - freeFailures - 1, 30));
  return Math.max(0, Math.min(delayMs, delayMs - (nowMs - failures.lastMs)));
}

function dropOldest(entries: Map<string, unknown> | Set<string>, limit: number): void {
  while (entries.size > limit) {
    const oldest = entries.keys().next().value;
    if (oldest === undefined) return;
    entries.delete(oldest);
  }
}
