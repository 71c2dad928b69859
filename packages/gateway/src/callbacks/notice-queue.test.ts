import { beforeEach, expect, test, vi } from 'vitest';
import { maxNoticeAgeMs, maxNotices, maxNoticesPerStream, noticeRetryMs } from './callback-limits.ts';
import { NoticeQueue } from './notice-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function setUp() {
  const tried: string[] = [];
  const state = { up: true };
  const queue = new NoticeQueue<string>(async (notice) => {
    tried.push(notice);
    return state.up;
  });
  return { queue, tried, state };
}

test('sends notices of one stream in order, one at a time', async () => {
  const under: string[] = [];
  const gates: (() => void)[] = [];
  const queue = new NoticeQueue<string>(async (notice) => {
    under.push(notice);
    await new Promise<void>((resolve) => gates.push(resolve));
    return true;
  });
  queue.push('a', 'a1');
  queue.push('a', 'a2');
  queue.push('b', 'b1');
  expect(under).toEqual(['a1', 'b1']);
  gates[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(under).toEqual(['a1', 'b1', 'a2']);
});

test('retries a failed notice with growing delays and holds back later ones', async () => {
  const { queue, tried, state } = setUp();
  state.up = false;
  queue.push('a', '1');
  queue.push('a', '2');
  await vi.advanceTimersByTimeAsync(noticeRetryMs.first);
  expect(tried).toEqual(['1', '1']);
  await vi.advanceTimersByTimeAsync(60_000);
  const tries = tried.length;
  await vi.advanceTimersByTimeAsync(noticeRetryMs.most);
  expect(tried.length).toBe(tries + 1);
  state.up = true;
  await vi.advanceTimersByTimeAsync(noticeRetryMs.most);
  expect(tried.slice(-2)).toEqual(['1', '2']);
  expect(queue.size).toBe(0);
});

test('flush skips the delay and ends with the next failure', async () => {
  const { queue, tried, state } = setUp();
  state.up = false;
  queue.push('a', '1');
  await vi.advanceTimersByTimeAsync(0);
  await queue.flush('a');
  expect(tried).toEqual(['1', '1']);
  state.up = true;
  await queue.flush('a');
  expect(queue.size).toBe(0);
  await queue.flush('a');
});

test('drops and counts the oldest notices of a stream whose queue is full', async () => {
  const { queue, tried, state } = setUp();
  state.up = false;
  for (let index = 0; index < maxNoticesPerStream + 5; index += 1) queue.push('a', String(index));
  expect(queue.size).toBe(maxNoticesPerStream);
  expect(queue.dropped).toBe(5);
  state.up = true;
  await vi.advanceTimersByTimeAsync(noticeRetryMs.first);
  expect(tried[1]).toBe('5');
  expect(queue.size).toBe(0);
});

test('bounds the notices of all streams together', () => {
  const { queue, state } = setUp();
  state.up = false;
  for (let index = 0; index < maxNotices + 3; index += 1) queue.push(`s${index % 1000}`, 'x');
  expect(queue.size).toBe(maxNotices);
  expect(queue.dropped).toBe(3);
});

test('drops notices that are too old', async () => {
  const { queue, state } = setUp();
  state.up = false;
  queue.push('a', '1');
  await vi.advanceTimersByTimeAsync(maxNoticeAgeMs + 2 * noticeRetryMs.most);
  expect([queue.size, queue.dropped]).toEqual([0, 1]);
});

test('close tries once more, then discards', async () => {
  const { queue, tried, state } = setUp();
  state.up = false;
  queue.push('a', '1');
  await vi.advanceTimersByTimeAsync(0);
  const closed = queue.close(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await closed;
  expect(tried).toEqual(['1', '1']);
  expect(queue.size).toBe(0);
  queue.push('a', '2');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tried).toHaveLength(2);
});
