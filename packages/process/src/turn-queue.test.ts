import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { everybody, type TurnLimits, TurnQueue } from './turn-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function start(limits: Partial<TurnLimits> = {}) {
  const queue = new TurnQueue({ mostPerTurn: 3, mostPerSecondOfAddress: 100, ...limits });
  const begun: string[] = [];
  const work =
    (name: string, isAlive = true) =>
    () => {
      if (isAlive) begun.push(name);
      return isAlive;
    };
  return { queue, begun, work, enter: (key: string, name: string) => queue.enter(key, work(name)) };
}

test('bounds the work started per turn, and addresses take turns', async () => {
  const { queue, begun, enter } = start();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) enter('a', name);
  enter('b', 'b1');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await nextTurn();
  expect(begun.slice(3)).toEqual(['a4', 'b1', 'a5']);
  await nextTurn();
  expect([begun.slice(6), queue.waiting]).toEqual([['a6', 'a7'], 0]);
});

test('long turns reduce the number of starts per turn, short ones increase it again', async () => {
  let nowMs = 0;
  const queue = new TurnQueue({ mostPerTurn: 4, turnMs: 10, mostPerSecondOfAddress: 1_000 }, () => nowMs);
  let begun = 0;
  let costMs = 5;
  for (let count = 0; count < 100; count++) {
    queue.enterNextTurn('a', () => {
      nowMs += costMs;
      return Boolean(++begun);
    });
  }
  const perTurn: number[] = [];
  for (let turn = 0; turn < 8; turn++) {
    if (turn === 4) costMs = 1;
    const before = begun;
    await nextTurn();
    perTurn.push(begun - before);
  }
  expect(perTurn).toEqual([4, 2, 4, 2, 4, 4, 4, 4]);
});

test('in turns that stay long, at least an eighth of the limit starts', async () => {
  let nowMs = 0;
  const queue = new TurnQueue({ mostPerTurn: 16, turnMs: 10, mostPerSecondOfAddress: 1_000 }, () => nowMs);
  let begun = 0;
  for (let count = 0; count < 100; count++) queue.enterNextTurn('a', () => Boolean(++begun));
  const perTurn: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const before = begun;
    nowMs += 100;
    await nextTurn();
    perTurn.push(begun - before);
  }
  expect(perTurn).toEqual([16, 8, 4, 2, 2, 2]);
});

test('work started in a later turn is counted from zero', async () => {
  const { begun, enter } = start();
  for (const name of ['1', '2', '3']) enter('a', name);
  await nextTurn();
  for (const name of ['4', '5', '6']) enter('a', name);
  expect(begun).toHaveLength(6);
});

test('work that had nothing to do does not count', async () => {
  const { queue, begun, work } = start({ mostPerTurn: 1 });
  for (const name of ['gone', 'gone too']) queue.enterNextTurn('a', work(name, false));
  queue.enterNextTurn('a', work('here'));
  await nextTurn();
  expect(begun).toEqual(['here']);
});

test('an address above its rate waits for the next second and delays no other', async () => {
  const { queue, begun, enter } = start({ mostPerSecondOfAddress: 1 });
  for (const name of ['a1', 'a2', 'a3']) enter('a', name);
  await nextTurn();
  enter('b', 'b1');
  enter('a', 'a4');
  await nextTurn();
  expect([begun, queue.waiting]).toEqual([['a1', 'b1'], 3]);
  vi.advanceTimersByTime(1_000);
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('bounds the rate of all addresses together', async () => {
  const { begun, enter } = start({ mostPerSecond: 2 });
  for (const name of ['a1', 'a2', 'a3']) enter('a', name);
  enter(everybody, 'own');
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(begun).toEqual(['a1', 'a2']);
  vi.advanceTimersByTime(1_000);
  await nextTurn();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'own']);
});

test('a proxy on this machine has no rate limit', () => {
  const { begun, enter } = start({ mostPerSecondOfAddress: 1 });
  for (const name of ['1', '2']) enter(everybody, name);
  expect(begun).toEqual(['1', '2']);
});

test('queued work runs in no session context, whichever session scheduled the turn', async () => {
  const { queue } = start({ mostPerTurn: 1 });
  const session = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  session.run('another one', () => {
    for (let count = 0; count < 2; count++) queue.enterNextTurn('a', () => Boolean(seen.push(session.getStore())));
  });
  await nextTurn();
  await nextTurn();
  expect(seen).toEqual([undefined, undefined]);
});
