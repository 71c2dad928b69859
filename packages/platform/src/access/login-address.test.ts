import { expect, it } from 'vitest';
import { loginAddressOf } from './login-address.ts';

it.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113', '203.0', false],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113', '203.0', false],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48', '2001:db8::/32', false],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64', '2001:db8:1::/48', '2001:db8::/32', false],
  ['2001:DB8::1', '2001:db8:0:0::/64', '2001:db8:0::/48', '2001:db8::/32', false],
  ['::1', '0:0:0:0::/64', '0:0:0::/48', '0:0::/32', true],
  ['127.0.0.1', '127.0.0.1', '127.0.0', '127.0', true],
  ['192.168.1.7', '192.168.1.7', '192.168.1', '192.168', true],
  ['fd12:3456::1', 'fd12:3456:0:0::/64', 'fd12:3456:0::/48', 'fd12:3456::/32', true],
  ['', '', '', '', true],
  ['not an address', 'not an address', 'not an address', 'not an address', true],
])('the address "%s" is the host %s of the site %s', (text, host, site, network, isPrivate) => {
  expect(loginAddressOf(text)).toEqual({ host, site, network, isPrivate });
});
