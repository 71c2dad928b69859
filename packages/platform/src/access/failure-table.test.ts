import { expect, it } from 'vitest';
import { createFailureTable, forgetAfterMs, maxHosts, maxHostsPerNetwork, maxHostsPerSite } from './failure-table.ts';
import { loginAddressOf } from './login-address.ts';

const at = (network: number, index: number) =>
  loginAddressOf(`2001:${network.toString(16)}:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`);

it('limits the entries of each site and network', () => {
  const table = createFailureTable();
  const sameSite = (index: number) => loginAddressOf(`2001:db8:0:${index.toString(16)}::1`);
  for (let index = 0; index < 2 * maxHostsPerSite; index++) table.add(sameSite(index), 0);
  expect([table.hasRoom(sameSite(0), 0), table.hasRoom(sameSite(0xffff), 0)]).toEqual([true, false]);
  for (let index = 0; index < 2 * maxHostsPerNetwork; index++) table.add(at(0xdb9, index), 0);
  expect([table.hasRoom(at(0xdb9, 0xffffff), 0), table.hasRoom(at(0xdba, 0), 0)]).toEqual([false, true]);
});

it('evicts no active entry when full, and accepts new ones a day later', () => {
  const table = createFailureTable();
  for (let index = 0; index < maxHosts; index++) table.add(at(index >> 14, index & 0x3fff), 0);
  const late = at(0xabc, 1);
  table.add(late, 1);
  expect(table.get(late, 1)).toBeUndefined();
  expect(table.get(at(0, 0), 1)?.count).toBe(1);
  expect(table.hasRoom(late, forgetAfterMs - 1)).toBe(false);
  table.add(late, forgetAfterMs);
  expect(table.get(late, forgetAfterMs)?.count).toBe(1);
});

it('can reuse the space of a removed entry', () => {
  const table = createFailureTable();
  for (let index = 0; index < maxHostsPerSite; index++) table.add(loginAddressOf(`2001:db8:0:${index}::`), 0);
  const next = loginAddressOf('2001:db8:0:ffff::');
  expect(table.hasRoom(next, 0)).toBe(false);
  table.delete(loginAddressOf('2001:db8:0:1::'));
  expect(table.hasRoom(next, 0)).toBe(true);
});
