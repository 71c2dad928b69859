// Slows password guessing. Each address waits longer after each failure; all unknown addresses together share a budget.
// An address that logged in before is outside that budget, so an attack from elsewhere cannot lock the owner out.
// Pure: time is a parameter.
import { isIPv6 } from 'node:net';

/** Failures of one address without any wait: typing errors. */
export const freeFailures = 3;
/** Wait after the first failure beyond those, milliseconds; doubles with each further one. */
export const firstDelayMs = 1_000;
/** Longest wait, milliseconds: an owner behind the same address as an attacker gets a turn each minute. */
export const maxDelayMs = 60_000;
/** An address without a failure for this long starts anew, milliseconds. */
export const forgetAfterMs = 15 * 60_000;
/** Addresses remembered; the longest silent one is forgotten first. */
export const maxAddresses = 10_000;
/** Failures all unknown addresses may make at once, and how fast that budget comes back. */
export const globalBurst = 100;
export const globalRefillPerSecond = 1;
/** Addresses remembered as the owner's, newest last. */
const maxTrustedAddresses = 64;

export interface LoginThrottle {
  /** Milliseconds to wait before the next attempt of this address may be judged; 0 when now. */
  waitMs(address: string, nowMs: number): number;
  onFailure(address: string, nowMs: number): void;
  onSuccess(address: string): void;
  /** To be kept over a restart. */
  trustedAddresses(): string[];
}

export function createLoginThrottle(trustedAddresses: readonly string[], startMs: number): LoginThrottle {
  const failures = new Map<string, { count: number; lastMs: number }>();
  const trusted = new Set(trustedAddresses.slice(-maxTrustedAddresses));
  let budget = { tokens: globalBurst, atMs: startMs };

  const refilled = (nowMs: number) => {
    const gained = (Math.max(0, nowMs - budget.atMs) / 1000) * globalRefillPerSecond;
    return Math.min(globalBurst, budget.tokens + gained);
  };

  return {
    waitMs(address, nowMs) {
      const key = addressKey(address);
      const own = failures.get(key);
      const ownWait = own ? remaining(delayAfter(own.count), nowMs - own.lastMs) : 0;
      const missing = trusted.has(key) ? 0 : Math.max(0, 1 - refilled(nowMs));
      return Math.max(ownWait, (missing * 1000) / globalRefillPerSecond);
    },
    onFailure(address, nowMs) {
      const key = addressKey(address);
      const own = failures.get(key);
      const isRecent = own !== undefined && nowMs - own.lastMs < forgetAfterMs;
      failures.delete(key);
      failures.set(key, { count: isRecent ? own.count + 1 : 1, lastMs: nowMs });
      dropOldest(failures, maxAddresses);
      if (!trusted.has(key)) budget = { tokens: Math.max(0, refilled(nowMs) - 1), atMs: nowMs };
    },
    onSuccess(address) {
      const key = addressKey(address);
      failures.delete(key);
      trusted.delete(key);
      trusted.add(key);
      dropOldest(trusted, maxTrustedAddresses);
    },
    trustedAddresses: () => [...trusted],
  };
}

function delayAfter(count: number): number {
  if (count <= freeFailures) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(count - freeFailures - 1, 30));
}

/** Never longer than the delay itself, even when the clock stepped back. */
function remaining(delayMs: number, elapsedMs: number): number {
  return Math.max(0, Math.min(delayMs, delayMs - elapsedMs));
}

/** IPv6 users own a /64, so that is one address here. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function dropOldest(entries: Map<string, unknown> | Set<string>, limit: number): void {
  while (entries.size > limit) {
    const oldest = entries.keys().next().value;
    if (oldest === undefined) return;
    entries.delete(oldest);
  }
}
