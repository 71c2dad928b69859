import { expect, it } from 'vitest';
import { addressGroup, canonicalAddress, ipv6Groups, isLoopback, plainAddress } from './ip-address.ts';

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['', ''],
  ['unix', 'unix'],
])('%s belongs to group %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

it('expands an IPv6 address to eight groups', () => {
  expect(ipv6Groups('64:ff9b::192.0.2.33')).toEqual(['64', 'ff9b', '0', '0', '0', '0', 'c000', '221']);
  expect(ipv6Groups('1:2:3:4:5:6:7:8')).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['', false],
  ['127.0.0.1.example.com', false],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
])('detects loopback: %s → %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

it('returns all texts except mapped IPv4 addresses unchanged', () => {
  expect([plainAddress('::ffff:102:304'), plainAddress('::1'), plainAddress('')]).toEqual([
    '::ffff:102:304',
    '::1',
    '',
  ]);
});

it('returns one canonical form per address', () => {
  expect(canonicalAddress('2001:0DB8::0:1')).toBe('2001:db8::1');
  expect(canonicalAddress('fe80::1%eth0')).toBe('fe80::1');
  expect(canonicalAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
  expect(canonicalAddress('')).toBe('');
});
