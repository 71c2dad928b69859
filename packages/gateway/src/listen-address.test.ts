import { expect, test } from 'vitest';
import { parseListenAddress, parsePlatformAddress } from './listen-address.ts';

test.each([
  ['2022', { port: 2022 }],
  [':2022', { port: 2022 }],
  ['0', { port: 0 }],
  ['127.0.0.1:1985', { host: '127.0.0.1', port: 1985 }],
  ['[::1]:1985', { host: '::1', port: 1985 }],
  [' localhost:80 ', { host: 'localhost', port: 80 }],
])('%s is a listen address', (text, expected) => {
  expect(parseListenAddress('X', text)).toEqual(expected);
});

test.each(['', 'http', '70000', '1:2:3', '::1:80', '-1', '80x', 'h:'])(
  '"%s" is refused and names the variable',
  (text) => {
    expect(() => parseListenAddress('MGMT_LISTEN', text)).toThrow(
      `MGMT_LISTEN must be a port or host:port, not "${text}"`,
    );
  },
);

test('a slash makes a socket path, a bare port stays on loopback', () => {
  expect(parsePlatformAddress('X', '/data/run/platform.sock')).toEqual({ socketPath: '/data/run/platform.sock' });
  expect(parsePlatformAddress('X', '2024')).toEqual({ host: '127.0.0.1', port: 2024 });
});
