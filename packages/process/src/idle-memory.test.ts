import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freeMemoryWhenIdle } from './idle-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const mebibyte = 1024 ** 2;

test('collects garbage when the process is idle, and again when the heap has grown', () => {
  const state = { worked: 0.5, heap: 40 * mebibyte, walks: 0 };
  const idleProcess = {
    workedShare: () => state.worked,
    heapBytes: () => state.heap,
    collect: () => {
      state.walks++;
      state.heap = 30 * mebibyte;
    },
  };
  const stop = freeMemoryWhenIdle(idleProcess);
  vi.advanceTimersByTime(15_000);
  expect(state.walks).toBe(0);
  state.worked = 0.01;
  vi.advanceTimersByTime(5_000);
  expect(state.walks).toBe(1);
  state.heap = 37 * mebibyte;
  vi.advanceTimersByTime(30_000);
  expect(state.walks).toBe(1);
  state.heap = 60 * mebibyte;
  vi.advanceTimersByTime(10_000);
  expect(state.walks).toBe(2);
  stop();
  state.heap = 90 * mebibyte;
  vi.advanceTimersByTime(50_000);
  expect(state.walks).toBe(2);
});

test('reduces the size of a real heap', async () => {
  vi.useRealTimers();
  let garbage: object[] | undefined = Array.from({ length: 300_000 }, (_, index) => ({ index }));
  const usedBefore = process.memoryUsage().heapUsed;
  expect(garbage).toHaveLength(300_000);
  garbage = undefined;
  const { collectGarbage } = await import('./garbage-collector.ts');
  collectGarbage('all');
  expect(process.memoryUsage().heapUsed).toBeLessThan(usedBefore - 5 * mebibyte);
});
