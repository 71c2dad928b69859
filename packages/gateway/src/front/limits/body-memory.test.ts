import { everybody } from '@srs-stack/process/turn-queue.ts';
import { expect, test } from 'vitest';
import { BodyMemory, type HeldBody } from './body-memory.ts';

function start() {
  const memory = new BodyMemory({ most: 100, mostPerAddress: 60 });
  const given: string[] = [];
  const begin = (key: string, name: string): HeldBody => {
    const body: HeldBody = {
      key,
      held: 0,
      giveUp: () => {
        given.push(name);
        memory.end(body);
      },
    };
    memory.begin(body);
    return body;
  };
  return { memory, given, begin };
}

test('drops the oldest incomplete body for a new one, never a complete one', () => {
  const { memory, given, begin } = start();
  const [whole, slow, other] = [begin('a', 'whole'), begin('b', 'slow'), begin('c', 'other')];
  expect(memory.resize(whole, 40)).toBe(true);
  memory.complete(whole);
  expect(memory.resize(slow, 50)).toBe(true);
  expect(memory.resize(other, 60)).toBe(true);
  expect(given).toEqual(['slow']);
  expect(memory.total).toBe(100);
});

test('an address above its share loses its own body', () => {
  const { memory, given, begin } = start();
  const [foreign, first, second] = [begin('b', 'foreign'), begin('a', 'first'), begin('a', 'second')];
  memory.resize(foreign, 30);
  memory.resize(first, 40);
  expect(memory.resize(second, 40)).toBe(true);
  expect(given).toEqual(['first']);
});

test('refuses a new body when nothing can be dropped, and changes nothing', () => {
  const { memory, given, begin } = start();
  const whole = begin(everybody, 'whole');
  memory.resize(whole, 90);
  memory.complete(whole);
  const late = begin('a', 'late');
  expect(memory.resize(late, 20)).toBe(false);
  expect([memory.total, late.held, given]).toEqual([90, 0, []]);
  memory.end(whole);
  memory.end(whole);
  expect([memory.total, memory.resize(late, 20)]).toEqual([0, true]);
});
