import { expect, it, vi } from 'vitest';
import { patienceOf, slownessOf } from './patience.ts';

it('grows with fewer processors, and never shortens a limit', () => {
  expect([1, 2, 4, 64].map(patienceOf)).toEqual([4, 2, 1, 1]);
});

it('grows with slower processors, within bounds', () => {
  const slowness = [90, 75, 50, 25, 5].map((framesPerSecond) => slownessOf(framesPerSecond, 30, 2));
  expect(slowness).toEqual([1, 1, 1.5, 3, 3]);
  expect([slownessOf(37.5, 30, 1), slownessOf(150, 30, 64)]).toEqual([1, 1]);
});

it('grows with slower program starts, however fast the processors are', () => {
  expect([20, 10, 1].map((programs) => slownessOf(90, programs, 2))).toEqual([1, 2, 3]);
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
