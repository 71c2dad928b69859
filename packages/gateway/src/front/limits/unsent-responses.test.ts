import { everybody } from '@srs-stack/process/turn-queue.ts';
import { expect, test } from 'vitest';
import { UnsentResponses } from './unsent-responses.ts';

function start() {
  const clock = { ms: 0 };
  const answers = new UnsentResponses({ mostBytes: 100, mostBytesPerAddress: 60, idleMs: 10 }, () => clock.ms);
  const cut: string[] = [];
  const taken = new Map<string, number>();
  const hold = (key: string, name: string, bytes: number) =>
    answers.hold({ key, bytes, takenBytes: () => taken.get(name) ?? 0, cut: () => void cut.push(name) });
  return { clock, answers, cut, taken, hold };
}

test('an unread response makes room for a new one, one being read does not', () => {
  const { clock, answers, cut, taken, hold } = start();
  hold('a', 'a1', 40);
  hold('b', 'b1', 40);
  clock.ms = 10;
  taken.set('a1', 5);
  hold('c', 'c1', 40);
  expect([cut, answers.bytes]).toEqual([['b1'], 80]);
  hold('d', 'd1', 40);
  expect([cut, answers.bytes]).toEqual([['b1', 'd1'], 80]);
});

test('an address above its share loses its own response, and a local proxy has no share', () => {
  const { clock, cut, hold } = start();
  hold('b', 'b1', 20);
  hold('a', 'a1', 40);
  clock.ms = 10;
  hold('a', 'a2', 40);
  expect(cut).toEqual(['a1']);
  hold('a', 'a3', 30);
  expect(cut).toEqual(['a1', 'a3']);
  const own = start();
  own.hold(everybody, '1', 50);
  own.hold(everybody, '2', 50);
  expect(own.cut).toEqual([]);
});

test('sent responses are no longer counted, once', () => {
  const { answers, hold } = start();
  const release = hold('a', 'a1', 50);
  hold('b', 'b1', 10);
  release();
  release();
  expect(answers.bytes).toBe(10);
});
