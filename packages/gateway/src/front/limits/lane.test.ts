import { everybody } from '@srs-stack/process/turn-queue.ts';
import { expect, test } from 'vitest';
import { Lane, type Place } from './lane.ts';

const limits = { most: 3, mostPerAddress: 2, mostWaiting: 5, mostWaitingPerAddress: 3 };

/** A lane, and the keys of the work that has started, oldest first. */
function startLane(more: Partial<typeof limits> = {}) {
  const lane = new Lane({ ...limits, ...more });
  const begun: string[] = [];
  const enter = (key: string, name: string) => lane.enter(key, () => void begun.push(name));
  return { lane, begun, enter };
}

test('limits concurrent work in total and per address', () => {
  const { lane, begun, enter } = startLane();
  for (const name of ['a1', 'a2', 'a3']) enter('a', name);
  enter('b', 'b1');
  enter('c', 'c1');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect(lane.load).toEqual({ running: 3, waiting: 2 });
});

test('addresses take turns, however much work one of them has queued', () => {
  const { begun, enter, lane } = startLane({ most: 1 });
  const first = enter('a', 'a1') as Place;
  const places = [enter('a', 'a2'), enter('a', 'a3'), enter('b', 'b1'), enter('c', 'c1')] as Place[];
  const [a2, a3, b1, c1] = places as [Place, Place, Place, Place];
  for (const place of [first, a2, b1, c1, a3]) place.leave();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  expect(lane.load).toEqual({ running: 0, waiting: 0 });
});

test('cancelled waiting work never starts; leaving twice counts once', () => {
  const { begun, enter, lane } = startLane({ most: 1 });
  const first = enter('a', 'a1');
  const second = enter('b', 'b1');
  enter('c', 'c1');
  second?.leave();
  second?.leave();
  first?.leave();
  first?.leave();
  expect(begun).toEqual(['a1', 'c1']);
  expect(lane.load).toEqual({ running: 1, waiting: 0 });
});

test('refuses work when too much is queued, by one address or by all', () => {
  const { enter } = startLane();
  for (let index = 0; index < 5; index += 1) expect(enter('a', 'a')).toBeDefined();
  expect(enter('a', 'a')).toBeUndefined();
  for (let index = 0; index < 3; index += 1) expect(enter('b', 'b')).toBeDefined();
  expect(enter('c', 'c')).toBeUndefined();
});

test('a proxy on this machine forwards all clients and may use all places', () => {
  const { begun, enter } = startLane();
  for (const name of ['1', '2', '3', '4', '5', '6', '7', '8']) expect(enter(everybody, name)).toBeDefined();
  expect(begun).toEqual(['1', '2', '3']);
  expect(enter(everybody, '9')).toBeUndefined();
});

test('work that ends immediately frees its place', () => {
  const lane = new Lane(limits);
  lane.enter('a', (place) => place.leave());
  expect(lane.load).toEqual({ running: 0, waiting: 0 });
});
