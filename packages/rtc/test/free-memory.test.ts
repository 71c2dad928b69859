import { collectGarbage } from '@srs-stack/process/garbage-collector.ts';
import { expect, it } from 'vitest';
import { returnFreeMemory } from '../src/free-memory.ts';

/** Size of a block, bytes. Larger blocks get separate mappings; blocks of this size stay in malloc's heap when they are freed. */
const blockBytes = 16_384;
const blocks = 4_000;
const mebibyte = 1024 ** 2;

it('returns freed memory between used blocks to the system', () => {
  const all = Array.from({ length: blocks }, () => Buffer.alloc(blockBytes, 1));
  // The last block keeps the end of the heap in use.
  const last = all.splice(0).at(-1);
  collectGarbage('all');
  const before = process.memoryUsage.rss();
  returnFreeMemory();
  expect(before - process.memoryUsage.rss()).toBeGreaterThan(20 * mebibyte);
  expect(last?.[0]).toBe(1);
});
