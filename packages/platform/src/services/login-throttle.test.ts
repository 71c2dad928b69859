import { describe, expect, it } from 'vitest';
import {
  addressKey,
  createLoginThrottle,
  firstDelayMs,
  forgetAfterMs,
  freeFailures,
  globalBurst,
  globalRefillPerSecond,
  maxAddresses,
  maxDelayMs,
} from './login-throttle.ts';

const failTimes = (throttle: ReturnType<typeof createLoginThrottle>, address: string, count: number, nowMs: number) => {
  for (let i = 0; i < count; i++) throttle.onFailure(address, nowMs);
};

describe('login throttle', () => {
  it('lets the first failures pass, then doubles the wait up to its limit', () => {
    const throttle = createLoginThrottle([], 0);
    failTimes(throttle, 'a', freeFailures, 0);
    const waits: number[] = [];
    for (let i = 0; i < 12; i++) {
      waits.push(throttle.waitMs('a', 0));
      throttle.onFailure('a', 0);
    }
    expect(waits.slice(0, 5)).toEqual([0, firstDelayMs, 2 * firstDelayMs, 4 * firstDelayMs, 8 * firstDelayMs]);
    expect(waits.at(-1)).toBe(maxDelayMs);
    expect(throttle.waitMs('a', maxDelayMs)).toBe(0);
  });

  it('forgets an address after a success or a long silence', () => {
    const throttle = createLoginThrottle([], 0);
    failTimes(throttle, 'a', freeFailures + 5, 0);
    throttle.onSuccess('a');
    expect(throttle.waitMs('a', 0)).toBe(0);
    failTimes(throttle, 'b', freeFailures + 5, 0);
    throttle.onFailure('b', forgetAfterMs);
    expect(throttle.waitMs('b', forgetAfterMs)).toBe(0);
  });

  it('shares a budget among unknown addresses, refilled with time, and leaves known ones out of it', () => {
    const throttle = createLoginThrottle(['owner'], 0);
    for (let i = 0; i < globalBurst; i++) throttle.onFailure(`attacker-${i}`, 0);
    expect(throttle.waitMs('stranger', 0)).toBe(1000 / globalRefillPerSecond);
    expect(throttle.waitMs('stranger', 1000 / globalRefillPerSecond)).toBe(0);
    expect(throttle.waitMs('owner', 0)).toBe(0);
    failTimes(throttle, 'owner', freeFailures, 0);
    expect(throttle.waitMs('owner', 0)).toBe(0);
  });

  it('remembers a bounded number of addresses', () => {
    const throttle = createLoginThrottle([], 0);
    failTimes(throttle, 'first', freeFailures + 3, 0);
    const hour = 3_600_000;
    for (let i = 0; i < maxAddresses; i++) throttle.onFailure(`other-${i}`, 0);
    expect(throttle.waitMs('first', hour)).toBe(0);
    for (let i = 0; i < 1_000; i++) throttle.onSuccess(`owner-${i}`);
    expect(throttle.trustedAddresses()).toHaveLength(64);
    expect(throttle.trustedAddresses().at(-1)).toBe('owner-999');
  });

  it('does not go wild when the clock steps back', () => {
    const throttle = createLoginThrottle([], 1_000_000);
    throttle.onFailure('a', 1_000_000);
    expect(throttle.waitMs('a', 0)).toBe(0);
  });

  it('takes the addresses of one IPv6 user as one', () => {
    const pairs = [
      ['203.0.113.9', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
      ['2001:DB8::1', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['', ''],
      ['not an address', 'not an address'],
    ];
    for (const [address, key] of pairs) expect(addressKey(address as string)).toBe(key);
  });
});
