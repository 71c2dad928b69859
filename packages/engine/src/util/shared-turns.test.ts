import { expect, it } from 'vitest';
import { SharedTurns } from './shared-turns.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Work with this number of parts. `spend` advances the clock for each part. */
function work(name: string, parts: number, done: string[], spend: () => void) {
  let left = parts;
  return () => {
    spend();
    done.push(name);
    left -= 1;
    return left > 0;
  };
}

it('does a bounded part of the work in each turn, round-robin, until all is done', async () => {
  let nowMs = 0;
  const queue = new SharedTurns(() => nowMs);
  const done: string[] = [];
  const spend = () => {
    nowMs += 2;
  };
  queue.add(work('a', 3, done, spend));
  queue.add(work('b', 2, done, spend));
  queue.add(work('c', 1, done, spend));
  expect(done).toEqual([]);
  const turns: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    await nextTurn();
    turns.push(done.splice(0).join(''));
  }
  expect(turns).toEqual(['ab', 'ca', 'ba', '']);
});

it('does each part at most once in a turn, however short it is', async () => {
  const queue = new SharedTurns(() => 0);
  const done: string[] = [];
  queue.add(work('a', 2, done, () => undefined));
  await nextTurn();
  expect(done).toEqual(['a']);
  await nextTurn();
  expect(done).toEqual(['a', 'a']);
});
