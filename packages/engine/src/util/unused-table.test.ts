import { addressGroup } from '@srs-stack/process/ip-address.ts';
import { describe, expect, it } from 'vitest';
import { UnusedTable } from './unused-table.ts';

function tableOf(maxEntries: number, maxPerAddress: number) {
  const evicted: string[] = [];
  const onEvict = (entry: string): void => void evicted.push(entry);
  return { evicted, table: new UnusedTable<string>({ maxEntries, maxPerAddress, onEvict }) };
}

describe('a table of unused entries', () => {
  it('admits the newest and removes the oldest of the same address', () => {
    const { evicted, table } = tableOf(100, 2);
    table.add('stranger', '192.0.2.9');
    for (const entry of ['a', 'b', 'c', 'd']) table.add(entry, '192.0.2.1');
    expect(evicted).toEqual(['a', 'b']);
    expect(table.size).toBe(3);
  });

  it('that is full removes the oldest of all', () => {
    const { evicted, table } = tableOf(3, 2);
    for (let host = 1; host <= 5; host++) table.add(`of ${host}`, `192.0.2.${host}`);
    expect(evicted).toEqual(['of 1', 'of 2']);
  });

  it('excludes used entries, and adds them again as the newest', () => {
    const { evicted, table } = tableOf(2, 2);
    table.add('used', '192.0.2.1');
    table.remove('used');
    table.remove('used');
    table.add('a', '192.0.2.1');
    table.add('b', '192.0.2.2');
    table.add('used', '192.0.2.1');
    table.add('c', '192.0.2.3');
    expect(evicted).toEqual(['a', 'b']);
  });

  it('reports when there is nothing to remove', () => {
    const { evicted, table } = tableOf(2, 2);
    expect(table.evictOldest()).toBe(false);
    table.add('a', '192.0.2.1');
    expect(table.evictOldest()).toBe(true);
    expect({ evicted, size: table.size }).toEqual({ evicted: ['a'], size: 0 });
  });
});

describe('one peer for limits', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', ''],
    ['x', 'x'],
  ])('%s is %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
