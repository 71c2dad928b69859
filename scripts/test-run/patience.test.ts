import { expect, it, vi } from 'vitest';
import { patienceOf } from './patience.ts';

it('grows as processors get fewer, and never shortens a limit', () => {
  expect([1, 2, 4, 64].map(patienceOf)).toEqual([4, 2, 1, 1]);
});

it.concurrent.each([undefined, 10, { timeout: 10, interval: 5 }])(
  'vi.waitFor and vi.waitUntil wait longer than %s',
  async (limit) => {
    const isSoAtMs = performance.now() + 1_200;
    const isSo = () => performance.now() > isSoAtMs;
    await vi.waitFor(() => expect(isSo()).toBe(true), limit);
    await vi.waitUntil(isSo, limit);
  },
);
