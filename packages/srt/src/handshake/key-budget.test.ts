import { expect, it } from 'vitest';
import { KeyBudget } from './key-budget.ts';

const taken = (budget: KeyBudget, addresses: readonly string[], nowUs: number) =>
  addresses.filter((address) => budget.take(address, nowUs)).length;

it('allows 200 handshakes a second, 50 of one address', () => {
  const budget = new KeyBudget();
  const many = (address: string) => new Array<string>(1_000).fill(address);
  expect(taken(budget, many('a'), 0)).toBe(50);
  expect(taken(budget, ['b', 'b'], 1)).toBe(2);
  expect(taken(budget, [...many('c'), ...many('d'), ...many('e')], 2)).toBe(148);
  expect(taken(budget, ['f'], 999_999)).toBe(0);
  expect(taken(budget, ['f', ...many('a')], 1_000_000)).toBe(51);
});
