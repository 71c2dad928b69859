import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFaults, type Faults } from './faults.ts';

let now: number;
let corruption: string | undefined;
let logged: { fields: Record<string, unknown>; what: string }[];
let ends: number;
let faults: Faults;

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  corruption = undefined;
  logged = [];
  ends = 0;
  const write = (fields: object, what: string) => {
    logged.push({ fields: fields as Record<string, unknown>, what });
  };
  faults = createFaults({
    log: { error: write, fatal: write } as never,
    clock: () => now,
    findCorruption: () => corruption,
    onCorrupted: () => {
      ends += 1;
    },
  });
});

const lookOver = () => vi.advanceTimersByTime(100);

afterEach(() => {
  vi.useRealTimers();
});

test('logs, counts and returns a fault with its details', () => {
  const error = new TypeError('x is not a function');
  faults.report(error, { stream: 'a', clientId: 'abcd1234' }, 'session failed and was closed');
  expect(logged).toEqual([
    { fields: { stream: 'a', clientId: 'abcd1234', err: error, faults: 1 }, what: 'session failed and was closed' },
  ]);
  expect(faults.metrics()).toEqual({ count: 1, last: 'session failed and was closed: x is not a function' });
});

test('writes at most 20 faults a minute and counts all, so that a peer cannot fill the disk', () => {
  for (let index = 0; index < 1_000; index += 1) faults.report(new Error('again'), {}, 'session failed');
  expect([logged.length, faults.metrics().count]).toEqual([20, 1_000]);
  now = 60_000;
  faults.report(new Error('again'), {}, 'session failed');
  expect(logged.at(-1)?.fields).toMatchObject({ faults: 1_001 });
});

test.each([undefined, null, 'text', { toString: () => ({}) as string }])('accepts any thrown value: %j', (thrown) => {
  faults.report(thrown, {}, 'uncaught error');
  expect(logged[0]?.fields.err).toBeInstanceOf(Error);
});

test('the process continues while the stream table is consistent', () => {
  faults.report(new Error('harmless'), {}, 'uncaught error');
  lookOver();
  expect(ends).toBe(0);
});

test('a corrupt stream table ends the process, once, after the current change', () => {
  faults.report(new Error('first'), {}, 'uncaught error');
  corruption = 'live/a has another publisher than the one in the stream table';
  faults.report(new Error('second'), {}, 'uncaught error');
  expect(ends).toBe(0);
  lookOver();
  faults.report(new Error('third'), {}, 'uncaught error');
  lookOver();
  expect(ends).toBe(1);
  expect(logged.some(({ fields }) => fields.corruption === corruption)).toBe(true);
});
