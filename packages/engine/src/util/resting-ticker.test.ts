import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endCurrentSession, inSession } from '../session-scope.ts';
import { RestingTicker } from './resting-ticker.ts';

let left: number;
let ticks: number;
let ticker: RestingTicker;

beforeEach(() => {
  vi.useFakeTimers();
  [left, ticks] = [0, 0];
  ticker = new RestingTicker({
    everyMs: 250,
    tick: () => {
      ticks++;
      return left > 0;
    },
  });
});
afterEach(() => {
  ticker.close();
  vi.useRealTimers();
});

test('it does not run while there is no work', () => {
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(ticks).toBe(0);
});

test('it ticks after a wake, and stops when no work is left', () => {
  left = 1;
  ticker.wake();
  ticker.wake();
  vi.advanceTimersByTime(1_000);
  expect(ticks).toBe(4);
  left = 0;
  vi.advanceTimersByTime(250);
  expect(ticks).toBe(5);
  expect(vi.getTimerCount()).toBe(0);
  left = 1;
  ticker.wake();
  vi.advanceTimersByTime(500);
  expect(ticks).toBe(7);
});

test('two tickers woken at different times tick together', () => {
  const times: number[] = [];
  const other = new RestingTicker({ everyMs: 1_000, tick: () => times.push(performance.now()) > 0 });
  left = 1;
  vi.advanceTimersByTime(130);
  ticker.wake();
  vi.advanceTimersByTime(333);
  other.wake();
  vi.advanceTimersByTime(3_000);
  expect(times).toHaveLength(3);
  expect(times.map((at) => at % 1_000)).toEqual([0, 0, 0]);
  other.close();
});

test('a wake during the last tick counts', () => {
  const again = new RestingTicker({
    everyMs: 250,
    tick: () => {
      ticks++;
      if (ticks === 1) again.wake();
      return false;
    },
  });
  again.wake();
  vi.advanceTimersByTime(1_000);
  expect(ticks).toBe(2);
  again.close();
});

test('a tick that fails is followed by others', () => {
  const failing = new RestingTicker({
    everyMs: 250,
    tick: () => {
      ticks++;
      throw new Error('a bug');
    },
  });
  failing.wake();
  expect(() => vi.advanceTimersByTime(250)).toThrow('a bug');
  expect(() => vi.advanceTimersByTime(250)).toThrow('a bug');
  expect(ticks).toBe(2);
  failing.close();
});

test('it runs outside the session that woke it', () => {
  let fields: object | undefined = {};
  const shared = new RestingTicker({
    everyMs: 250,
    tick: () => {
      fields = endCurrentSession();
      return false;
    },
  });
  inSession({ fields: { clientId: 'c1' }, end: () => undefined }, () => shared.wake());
  vi.advanceTimersByTime(250);
  expect(fields).toBeUndefined();
});

test('after close it cannot be woken', () => {
  left = 1;
  ticker.wake();
  ticker.close();
  ticker.wake();
  expect(vi.getTimerCount()).toBe(0);
});
