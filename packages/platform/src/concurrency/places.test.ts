import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

it('steps above the limit wait, and a failed step frees its place', async () => {
  const places = createPlaces(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const step = (id: number) =>
    places(async () => {
      begun.push(id);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (id === 1) throw new Error('failed');
    });
  const all = [1, 2, 3, 4].map(step);
  const settled = Promise.allSettled(all);
  expect(begun).toEqual([1, 2]);
  ends[0]?.();
  await expect(all[0]).rejects.toThrow('failed');
  expect(begun).toEqual([1, 2, 3]);
  ends[1]?.();
  await all[1];
  for (const end of ends) end();
  await settled;
  expect(begun).toEqual([1, 2, 3, 4]);
});
