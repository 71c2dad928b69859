import { expect, test } from 'vitest';
import { defaultPlatformSocket, parseListenAddress, parsePlatformAddress } from './listen-address.ts';
import { StartRefusal } from './start-refusal.ts';

test.each([
  ['2022', { port: 2022 }],
  [':2022', { port: 2022 }],
  ['0', { port: 0 }],
  ['127.0.0.1:1985', { host: '127.0.0.1', port: 1985 }],
  ['[::1]:1985', { host: '::1', port: 1985 }],
  [' localhost:80 ', { host: 'localhost', port: 80 }],
])('parses the listen address %s', (text, expected) => {
  expect(parseListenAddress('X', text)).toEqual(expected);
});

test.each(['', 'http', '70000', '1:2:3', '::1:80', '-1', '80x', 'h:'])(
  'refuses "%s" and names the variable',
  (text) => {
    expect(() => parseListenAddress('MGMT_LISTEN', text)).toThrow(
      `MGMT_LISTEN must be a port or host:port, not "${text}"`,
    );
  },
);

test('a value with a slash is a socket path, a bare port listens on loopback', () => {
  expect(parsePlatformAddress('X', '/data/run/platform.sock')).toEqual({ socketPath: '/data/run/platform.sock' });
  expect(parsePlatformAddress('X', '2024')).toEqual({ host: '127.0.0.1', port: 2024 });
});

test('accepts only local addresses for the control plane', () => {
  expect(parsePlatformAddress('X', '/run/x.sock')).toEqual({ socketPath: '/run/x.sock' });
  expect(parsePlatformAddress('X', 'localhost:0')).toEqual({ host: 'localhost', port: 0 });
  for (const text of ['0.0.0.0:1', '[::]:1', '10.0.0.1:1', 'example.com:1'])
    expect(() => parsePlatformAddress('X', text)).toThrow(StartRefusal);
});

test("keeps socket paths within the kernel's limit", () => {
  expect(defaultPlatformSocket('/srv/data')).toBe('/srv/data/run/platform.sock');
  const deep = `/srv/${'d'.repeat(100)}`;
  expect(Buffer.byteLength(defaultPlatformSocket(deep))).toBeLessThanOrEqual(100);
  expect(defaultPlatformSocket(deep)).toBe(defaultPlatformSocket(deep));
});
