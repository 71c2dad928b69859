import { expect, test } from 'vitest';
import { defaultPartBytes, partBytesOf, partsOf } from './part-plan.ts';

test('parts follow each other and end with the file', () => {
  expect(partsOf(25, 10)).toEqual([
    { number: 1, start: 0, end: 10 },
    { number: 2, start: 10, end: 20 },
    { number: 3, start: 20, end: 25 },
  ]);
  expect(partsOf(20, 10)).toHaveLength(2);
  expect(partsOf(0, 10)).toEqual([{ number: 1, start: 0, end: 0 }]);
});

test('a file never has more than 10,000 parts', () => {
  expect(partBytesOf(1024 ** 3, defaultPartBytes)).toBe(defaultPartBytes);
  for (const terabytes of [1, 5]) {
    const sizeBytes = terabytes * 1024 ** 4 + 1;
    const parts = partsOf(sizeBytes, partBytesOf(sizeBytes, defaultPartBytes));
    expect(parts.length).toBeLessThanOrEqual(10_000);
    expect(parts.at(-1)?.end).toBe(sizeBytes);
  }
});
