import { describe, expect, it } from 'vitest';
import { forgetAfterMs, maxHostsPerSite } from './failure-table.ts';
import {
  createLoginThrottle,
  crowdBurst,
  crowdRefillPerSecond,
  firstDelayMs,
  freeFailures,
  type LoginThrottle,
  maxDelayMs,
  maxSharedDelayMs,
} from './login-throttle.ts';

/** Endless new addresses of an attacker, from documentation and benchmark networks. */
const floods: readonly (readonly [string, (index: number) => string])[] = [
  ['IPv4', (index) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`],
  ['IPv6 /64 of one /48', (index) => `2001:db8:0:${index.toString(16)}::1`],
  ['IPv6 /64 of ever-new /48', (index) => `2001:db8:${(index + 1).toString(16)}::1`],
];
const floodSize = 10_000;

const failTimes = (throttle: LoginThrottle, address: string, count: number, nowMs: number) => {
  for (let i = 0; i < count; i++) throttle.onFailure({ address }, nowMs);
};
/** Each address guesses as often as possible without waiting. Returns the number of checked guesses. */
const flood = (throttle: LoginThrottle, addressAt: (index: number) => string, nowMs: number) => {
  let judged = 0;
  for (let index = 0; index < floodSize; index++) {
    const client = { address: addressAt(index) };
    for (; throttle.waitMs(client, nowMs) === 0; judged++) throttle.onFailure(client, nowMs);
  }
  return judged;
};

describe('login throttle', () => {
  it('lets the first failures pass, then doubles the wait up to its limit', () => {
    const throttle = createLoginThrottle([], 0);
    failTimes(throttle, '203.0.113.1', freeFailures, 0);
    const waits: number[] = [];
    for (let i = 0; i < 14; i++) {
      waits.push(throttle.waitMs({ address: '203.0.113.1' }, 0));
      failTimes(throttle, '203.0.113.1', 1, 0);
    }
    expect(waits.slice(0, 5)).toEqual([0, firstDelayMs, 2 * firstDelayMs, 4 * firstDelayMs, 8 * firstDelayMs]);
    expect(waits.at(-1)).toBe(maxDelayMs);
    expect(throttle.waitMs({ address: '203.0.113.1' }, maxDelayMs)).toBe(0);
  });

  it('forgets an address after a success or a day without failures', () => {
    const throttle = createLoginThrottle([], 0);
    failTimes(throttle, '203.0.113.1', freeFailures + 5, 0);
    throttle.onSuccess({ address: '203.0.113.1' });
    expect(throttle.waitMs({ address: '203.0.113.1' }, 0)).toBe(0);
    failTimes(throttle, '203.0.113.2', freeFailures + 5, 0);
    failTimes(throttle, '203.0.113.2', 1, forgetAfterMs);
    expect(throttle.waitMs({ address: '203.0.113.2' }, forgetAfterMs)).toBe(0);
  });

  it.each(floods)(
    'ten thousand addresses (%s) do not lock the owner out, from a known or unknown address',
    (_name, addressAt) => {
      const throttle = createLoginThrottle(['203.0.113.50'], 0);
      expect(flood(throttle, addressAt, 0)).toBeGreaterThan(floodSize);
      const owners = [
        { address: '203.0.113.50' },
        { address: '192.0.2.1' },
        { address: '2001:db8:ffff::1' },
        { address: addressAt(7), device: 'owner' },
      ];
      for (const owner of owners) {
        expect(throttle.waitMs(owner, 0), JSON.stringify(owner)).toBe(0);
        throttle.onFailure(owner, 0);
        expect(throttle.waitMs(owner, 0), `after a typing error: ${JSON.stringify(owner)}`).toBe(0);
      }
    },
  );

  it('allows an address of a full site one guess, further guesses share a budget', () => {
    const throttle = createLoginThrottle([], 0);
    const host = (index: number) => `2001:db8:0:${index.toString(16)}::1`;
    for (let index = 0; index < maxHostsPerSite; index++) failTimes(throttle, host(index), 1, 0);
    const [crowded, owner] = [{ address: host(0xf000) }, { address: host(0xf001) }];
    for (let i = 0; i <= crowdBurst; i++) {
      expect(throttle.waitMs(crowded, 0), `guess ${i}`).toBe(0);
      throttle.onFailure(crowded, 0);
    }
    expect(throttle.waitMs(crowded, 0)).toBe(1000 / crowdRefillPerSecond);
    expect(throttle.waitMs(crowded, 1000 / crowdRefillPerSecond)).toBe(0);
    expect(throttle.waitMs(owner, 0)).toBe(0);
    expect(throttle.waitMs(owner, forgetAfterMs)).toBe(0);
  });

  it('a browser that logged in before waits for its own failures only, and never long', () => {
    const throttle = createLoginThrottle([], 0);
    failTimes(throttle, '203.0.113.1', 50, 0);
    const owner = { address: '203.0.113.1', device: 'owner' };
    expect(throttle.waitMs(owner, 0)).toBe(0);
    for (let i = 0; i < 50; i++) throttle.onFailure(owner, 0);
    expect(throttle.waitMs(owner, 0)).toBe(maxSharedDelayMs);
    throttle.onSuccess(owner);
    expect(throttle.waitMs(owner, 0)).toBe(0);
  });

  it.each(['203.0.113.50', '192.168.1.1', '127.0.0.1', ''])(
    '"%s" may be shared by several people, so it waits a minute at most',
    (address) => {
      const throttle = createLoginThrottle(['203.0.113.50'], 0);
      failTimes(throttle, address, 50, 0);
      expect(throttle.waitMs({ address }, 0)).toBe(maxSharedDelayMs);
    },
  );

  it('remembers a bounded number of addresses', () => {
    const throttle = createLoginThrottle([], 0);
    for (let i = 0; i < 1_000; i++) throttle.onSuccess({ address: `owner-${i}` });
    expect(throttle.trustedAddresses()).toHaveLength(64);
    expect(throttle.trustedAddresses().at(-1)).toBe('owner-999');
  });

  it('keeps waits bounded when the clock steps back', () => {
    const throttle = createLoginThrottle([], 1_000_000);
    failTimes(throttle, '203.0.113.1', 1, 1_000_000);
    expect(throttle.waitMs({ address: '203.0.113.1' }, 0)).toBe(0);
  });
});
