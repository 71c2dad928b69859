import { expect, it } from 'vitest';
import { handOverMs } from './hand-over.ts';

it('flushes often while that is cheap, and at least once a second', () => {
  expect([0, 1, 25, 50, 100, 5_000].map(handOverMs)).toEqual([250, 250, 250, 500, 1_000, 1_000]);
});
