import { expect, it } from 'vitest';
import { isPrivateAddress, parseNetworks } from './private-networks.ts';

it.each(['10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', '127.0.0.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
  '%s is private',
  (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  },
);

it.each(['8.8.8.8', '172.32.0.1', '2001:db8::1', '239.1.1.1', '', 'localhost'])('%s is not private', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

it('networks are addresses, ranges, or all private ones', () => {
  const isNamed = parseNetworks('X', ['203.0.113.0/24', '2001:db8::5', 'private']);
  expect(['203.0.113.9', '2001:db8::5', '192.168.0.1', 'fd00::1%eth0'].map(isNamed)).toEqual([true, true, true, true]);
  expect(['203.0.114.1', '2001:db8::6'].map(isNamed)).toEqual([false, false]);
});

it.each(['lan', '10.0.0.0/33', '10.0.0.0/x', '10.0.0'])('%s is refused with the name of the variable', (entry) => {
  expect(() => parseNetworks('SOURCE_NETWORKS', [entry])).toThrow(`SOURCE_NETWORKS contains "${entry}"`);
});
