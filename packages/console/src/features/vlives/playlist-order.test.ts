import { expect, test } from 'vitest';
import { isSameOrder, moved } from './playlist-order.ts';

test.each([
  [0, 1, 'bac'],
  [1, 1, 'acb'],
  [1, -1, 'bac'],
  [2, -1, 'acb'],
  [0, -1, 'abc'],
  [2, 1, 'abc'],
  [7, -1, 'abc'],
] as const)('entry %d moved by %d: %s', (index, by, order) => {
  expect(moved(['a', 'b', 'c'], index, by).join('')).toBe(order);
});

test('orders are compared by uuid', () => {
  const [a, b] = [{ uuid: 'a' }, { uuid: 'b' }];
  expect(isSameOrder([a, b], [{ uuid: 'a' }, { uuid: 'b' }])).toBe(true);
  expect(isSameOrder([a, b], [b, a])).toBe(false);
  expect(isSameOrder([a], [a, b])).toBe(false);
});
