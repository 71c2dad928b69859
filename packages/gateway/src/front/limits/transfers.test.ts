import { everybody } from '@srs-stack/process/turn-queue.ts';
import { expect, test } from 'vitest';
import { type Transfer, Transfers } from './transfers.ts';

function start() {
  const clock = { ms: 0 };
  const transfers = new Transfers({ most: 4, mostPerAddress: 2, idleMs: 100 }, () => clock.ms);
  const cut: string[] = [];
  const admit = (key: string, name: string) => transfers.admit(key, () => void cut.push(name));
  return { clock, transfers, cut, admit };
}

test('a stalled transfer makes room for a new one, an active one never does', () => {
  const { clock, transfers, cut, admit } = start();
  const first = admit('a', 'a1') as Transfer;
  admit('a', 'a2');
  expect(admit('a', 'a3')).toBeUndefined();
  clock.ms = 100;
  first.progress();
  expect(admit('a', 'a3')).toBeDefined();
  expect(cut).toEqual(['a2']);
  expect(admit('a', 'a4')).toBeUndefined();
  expect(transfers.count).toBe(2);
});

test('when all places are in use, the longest stalled transfer ends, of any address', () => {
  const { clock, cut, admit } = start();
  for (const [key, name] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['b', 'b1'],
    ['c', 'c1'],
  ] as const)
    admit(key, name);
  expect(admit('d', 'd1')).toBeUndefined();
  clock.ms = 100;
  expect(admit('d', 'd1')).toBeDefined();
  expect(cut).toEqual(['a1']);
});

test('an address at its limit never ends transfers of others', () => {
  const { clock, cut, admit } = start();
  admit('b', 'b1');
  clock.ms = 100;
  admit('a', 'a1');
  admit('a', 'a2');
  expect(admit('a', 'a3')).toBeUndefined();
  expect(cut).toEqual([]);
});

test('a proxy on this machine may use all places; leaving twice counts once', () => {
  const { transfers, admit } = start();
  const all = ['1', '2', '3', '4'].map((name) => admit(everybody, name));
  expect(admit(everybody, '5')).toBeUndefined();
  for (const each of all) each?.leave();
  all[0]?.leave();
  all[0]?.progress();
  expect(transfers.count).toBe(0);
});
