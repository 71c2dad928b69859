import { expect, test } from 'vitest';
import { createDiskWatch } from './disk-space.ts';

test('pauses below the reserve and immediately after a failed write, resumes with a margin above it', async () => {
  const megabyte = 1024 * 1024;
  const disk = { freeBytes: 10_000 * megabyte, totalBytes: 100_000 * megabyte };
  const states: string[] = [];
  let nowMs = 0;
  const watch = createDiskWatch({
    path: '/',
    monotonicMs: () => nowMs,
    onChange: ({ state }) => states.push(state),
    measure: async () => ({ ...disk }),
  });
  const stateAt = async (free: number) => {
    disk.freeBytes = free * megabyte;
    nowMs += 10_000;
    return (await watch.look()).state;
  };
  expect(await stateAt(10_000)).toBe('ok');
  expect(await stateAt(1_000)).toBe('low');
  expect(await stateAt(511)).toBe('full');
  expect(await stateAt(600)).toBe('full');
  expect(await stateAt(700)).toBe('low');
  watch.onDiskFull();
  expect((await watch.look()).state).toBe('full');
  expect(await stateAt(10_000)).toBe('ok');
  expect(states).toEqual(['low', 'full', 'low', 'full', 'ok']);
  disk.totalBytes = 100 * megabyte;
  expect(await stateAt(10)).toBe('low');
  expect(await stateAt(4)).toBe('full');
});
