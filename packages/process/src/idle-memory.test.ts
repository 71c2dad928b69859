import v8 from 'node:v8';
import vm from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freeMemoryWhenIdle } from './idle-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const mebibyte = 1024 ** 2;

function idleProcess() {
  const state = { worked: 0.5, heap: 40 * mebibyte, collections: [] as string[] };
  const collect = (kind: string) => (): void => {
    state.collections.push(kind);
    state.heap = 30 * mebibyte;
  };
  const stop = freeMemoryWhenIdle(
    {
      workedShare: () => state.worked,
      heapBytes: () => state.heap,
      collect: collect('idle'),
      collectAfterStart: collect('after start'),
    },
    () => state.collections.push('warm-up'),
  );
  return { state, stop };
}

test('collects garbage when the process is idle, and again when the heap has grown', () => {
  const { state, stop } = idleProcess();
  vi.advanceTimersByTime(15_000);
  expect(state.collections).toEqual([]);
  state.worked = 0.02;
  vi.advanceTimersByTime(5_000);
  expect(state.collections).toEqual(['idle']);
  state.heap = 37 * mebibyte;
  vi.advanceTimersByTime(30_000);
  expect(state.collections).toEqual(['idle']);
  state.heap = 60 * mebibyte;
  vi.advanceTimersByTime(5_000);
  expect(state.collections).toEqual(['idle', 'idle']);
  stop();
  state.heap = 90 * mebibyte;
  vi.advanceTimersByTime(50_000);
  expect(state.collections).toEqual(['idle', 'idle']);
});

test('frees the compiled code of the start once, as soon as the process serves nobody', () => {
  const { state, stop } = idleProcess();
  state.worked = 0.005;
  vi.advanceTimersByTime(5_000);
  state.worked = 0.02;
  vi.advanceTimersByTime(5_000);
  expect(state.collections).toEqual(['idle']);
  state.worked = 0.005;
  vi.advanceTimersByTime(5_000);
  expect(state.collections).toEqual(['idle', 'after start', 'warm-up']);
  state.heap = 60 * mebibyte;
  vi.advanceTimersByTime(10_000);
  expect(state.collections).toEqual(['idle', 'after start', 'warm-up', 'idle']);
  stop();
});

test('functions whose code was freed are compiled again when called', async () => {
  vi.useRealTimers();
  const { collectCompiledCode } = await import('./garbage-collector.ts');
  const half = vm.runInThisContext('(function half(value) { return value / 2; })') as (value: number) => number;
  expect(half(84)).toBe(42);
  const codeBefore = v8.getHeapCodeStatistics().bytecode_and_metadata_size;
  collectCompiledCode();
  expect(v8.getHeapCodeStatistics().bytecode_and_metadata_size).toBeLessThan(codeBefore / 2);
  expect(half(84)).toBe(42);
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
