import { expect, it, vi } from 'vitest';
import { rememberLast } from './remember-last.ts';

it('computes once for the same value, and again for another', () => {
  const make = vi.fn((from: { name: string }) => ({ text: from.name }));
  const made = rememberLast(make);
  const [first, second] = [{ name: 'a' }, { name: 'a' }];
  expect(made(first)).toBe(made(first));
  expect(make).toHaveBeenCalledTimes(1);
  expect(made(second)).toEqual({ text: 'a' });
  expect(made(first)).toEqual({ text: 'a' });
  expect(make).toHaveBeenCalledTimes(3);
});

it('does not cache failures', () => {
  let isBroken = true;
  const made = rememberLast((from: string) => {
    if (isBroken) throw new Error('broken');
    return from.length;
  });
  expect(() => made('abc')).toThrow('broken');
  isBroken = false;
  expect(made('abc')).toBe(3);
});
