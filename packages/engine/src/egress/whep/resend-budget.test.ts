import { describe, expect, it } from 'vitest';
import { ResendBudget } from './resend-budget.ts';

const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);

describe('retransmissions to a viewer', () => {
  it('are the packets it requests', () => {
    expect(new ResendBudget().allow([7, 3], 0, 0)).toEqual([7, 3]);
  });

  it('are at most 100 packets at once and 500 per second', () => {
    const budget = new ResendBudget();
    let total = 0;
    for (let now = 0; now < 10_000; now += 5) {
      const allowed = budget.allow(numbers(200, now * 300), 0, now).length;
      expect(allowed).toBeLessThanOrEqual(100);
      total += allowed;
    }
    expect(total).toBeLessThanOrEqual(5_100);
    expect(total).toBeGreaterThan(5_000);
  });

  it('do not repeat a packet that is still on its way, nor one requested twice', () => {
    const budget = new ResendBudget();
    expect(budget.allow([1, 1, 2], 0, 0)).toEqual([1, 2]);
    expect(budget.allow([1, 2, 3], 0, 9)).toEqual([3]);
    expect(budget.allow([1], 0, 10)).toEqual([1]);
  });

  it('repeat a packet only after half a round trip', () => {
    const budget = new ResendBudget();
    budget.allow([1], 200, 0);
    expect(budget.allow([1], 200, 99)).toEqual([]);
    expect(budget.allow([1], 200, 100)).toEqual([1]);
  });

  it('include packets requested again after the limit was reached', () => {
    const budget = new ResendBudget();
    expect(budget.allow(numbers(150), 0, 0)).toEqual(numbers(100));
    expect(budget.allow(numbers(50, 100), 0, 100)).toEqual(numbers(50, 100));
  });
});
