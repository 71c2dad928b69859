import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallbackOutcome } from './callback-verdict.ts';
import { SegmentCalls } from './segment-calls.ts';

const response = (status: number, data: object | null): CallbackOutcome => ({
  kind: 'answer',
  status,
  body: JSON.stringify({ code: status === 200 ? 0 : 1, data }),
});
const takesMany = response(200, { segmentsPerCall: 3 });
const takesOne = response(200, null);

/** Records calls. Each call returns the next of `outcomes`; further calls return the last outcome. */
function open(...outcomes: readonly CallbackOutcome[]) {
  const calls: string[][] = [];
  const segments = new SegmentCalls<string>(async (results) => {
    calls.push([...results]);
    return outcomes[Math.min(calls.length, outcomes.length) - 1]!;
  }, 250);
  return { calls, segments };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a control plane without batch support gets each segment immediately, one per call', async () => {
  const { calls, segments } = open(takesOne);
  await Promise.all([segments.report('a'), segments.report('b')]);
  await segments.report('c');
  expect(calls).toEqual([['a'], ['b'], ['c']]);
});

test('a control plane with batch support gets all segments of a quarter of a second in one call', async () => {
  const { calls, segments } = open(takesMany);
  await segments.report('a');
  const results = [segments.report('b'), segments.report('c')];
  await vi.advanceTimersByTimeAsync(249);
  expect(calls).toEqual([['a']]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toEqual([['a'], ['b', 'c']]);
  expect(await Promise.all(results)).toEqual([takesMany, takesMany]);
});

test('no call exceeds the batch size, and a full batch is sent immediately', async () => {
  const { calls, segments } = open(takesMany);
  await segments.report('a');
  await Promise.all(['b', 'c', 'd'].map((segment) => segments.report(segment)));
  expect(calls).toEqual([['a'], ['b', 'c', 'd']]);
});

test('a flush sends the batch immediately, and once', async () => {
  const { calls, segments } = open(takesMany);
  segments.hurry();
  await segments.report('a');
  const results = segments.report('b');
  segments.hurry();
  await results;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls).toEqual([['a'], ['b']]);
});

test('a control plane that was replaced by an older release gets the segments again, one per call', async () => {
  const { calls, segments } = open(takesMany, response(404, null), takesOne);
  await segments.report('a');
  const results = Promise.all([segments.report('b'), segments.report('c')]);
  await vi.advanceTimersByTimeAsync(250);
  expect((await results).map(({ kind }) => kind)).toEqual(['away', 'away']);
  await Promise.all([segments.report('b'), segments.report('c')]);
  expect(calls).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
});

test('batches again after the control plane was unavailable', async () => {
  const away: CallbackOutcome = { kind: 'away', timedOut: false, detail: 'restarting' };
  const { calls, segments } = open(takesMany, away, takesMany);
  await segments.report('a');
  const first = segments.report('b');
  await vi.advanceTimersByTimeAsync(250);
  expect(await first).toEqual(away);
  const again = Promise.all([segments.report('b'), segments.report('c')]);
  await vi.advanceTimersByTimeAsync(250);
  await again;
  expect(calls).toEqual([['a'], ['b'], ['b', 'c']]);
});

test('after close nothing is batched', async () => {
  const { calls, segments } = open(takesMany);
  await segments.report('a');
  const gathered = segments.report('b');
  segments.close();
  await Promise.all([gathered, segments.report('c')]);
  expect(calls).toEqual([['a'], ['c'], ['b']]);
});
