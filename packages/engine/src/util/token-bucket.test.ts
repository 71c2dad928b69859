import { describe, expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

describe('a rate with a burst', () => {
  it('allows the burst at once, then refills at the rate', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 });
    expect(bucket.take(8, 1_000)).toBe(5);
    expect(bucket.take(1, 1_099)).toBe(0);
    expect(bucket.take(1, 1_100)).toBe(1);
  });

  it('never holds more than the burst, however long the pause', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 });
    bucket.take(5, 0);
    expect(bucket.take(100, 60_000)).toBe(5);
  });

  it('keeps fractions of rates below one per second', () => {
    const bucket = new TokenBucket({ perSecond: 0.5, burst: 1 });
    bucket.take(1, 0);
    expect([500, 1_000, 1_500, 2_000].map((now) => bucket.take(1, now))).toEqual([0, 0, 0, 1]);
  });
});
