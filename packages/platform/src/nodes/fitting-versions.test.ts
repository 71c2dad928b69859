import { expect, it } from 'vitest';
import { areFitting } from './fitting-versions.ts';

it.each([
  ['1.2.3', '1.2.9', true],
  ['1.2.3', '1.3.0', true],
  ['1.3.0', '1.2.9', true],
  ['1.2.0', '1.4.0', false],
  ['1.9.0', '2.0.0', false],
  ['1.10.0', '1.9.0', true],
  ['v1.2.3', '1.2.3-rc.1', true],
  ['odd', 'odd', true],
  ['odd', '1.2.3', false],
])('%s beside %s: %s', (one, other, fits) => {
  expect(areFitting(one, other)).toBe(fits);
});
