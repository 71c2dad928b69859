import { everybody } from '@srs-stack/process/turn-queue.ts';
import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['127.0.0.1', everybody],
  ['127.8.9.1', everybody],
  ['::1', everybody],
  ['::ffff:127.0.0.1', everybody],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
