import { expect, test } from 'vitest';
import { countedDown } from './waiting-screen.ts';

const days = (count: number) => `${count} d`;

test.each([
  [1, '00:00:01'],
  [59_000, '00:00:59'],
  [3_600_000, '01:00:00'],
  [86_400_000 - 1_000, '23:59:59'],
  [2 * 86_400_000 + 3_723_000, '2 d 01:02:03'],
])('%i ms are counted down as %s', (leftMs, text) => {
  expect(countedDown(leftMs, days)).toBe(text);
});
