import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createForwardedResolver } from './forwarded.ts';

function requestFrom(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers: { host: 'own:2022', ...headers } } as unknown as IncomingMessage;
}

test('without trusted proxies the socket address is used', () => {
  const resolve = createForwardedResolver([]);
  const claims = {
    'x-forwarded-for': '1.2.3.4',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil',
    'x-forwarded-prefix': '/evil',
  };
  expect(resolve(requestFrom('::ffff:192.0.2.1', claims))).toEqual({
    for: '192.0.2.1',
    proto: 'http',
    host: 'own:2022',
    prefix: '',
  });
});

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['6.6.6.6, 198.51.100.1', '198.51.100.1'],
  ['198.51.100.1, 10.0.0.9', '198.51.100.1'],
  ['10.0.0.8, 10.0.0.9', '10.0.0.8'],
  ['2001:db8::5', '2001:db8::5'],
  ['garbage', '10.0.0.1'],
  ['', '10.0.0.1'],
])('behind a trusted proxy the chain %j means %s', (chain, expected) => {
  const resolve = createForwardedResolver(['10.0.0.0/8', '::1']);
  expect(resolve(requestFrom('10.0.0.1', { 'x-forwarded-for': chain })).for).toBe(expected);
});

test('names an invalid entry', () => {
  for (const entry of ['proxy.example', '10.0.0.0/33', '10.0.0.0/x']) {
    expect(() => createForwardedResolver([entry])).toThrow(`TRUST_PROXY contains "${entry}"`);
  }
});

test.each([
  ['/stream', '/stream'],
  ['/a/b/', '/a/b'],
  ['/', ''],
  ['//evil.example', ''],
  ['/a/../b', ''],
  ['https://evil.example', ''],
  ['/a"b', ''],
  ['/a,/b', ''],
  [`/${'a'.repeat(256)}`, ''],
  ['', ''],
])('behind a trusted proxy the path prefix %j means %j', (prefix, expected) => {
  const resolve = createForwardedResolver(['10.0.0.0/8']);
  expect(resolve(requestFrom('10.0.0.1', { 'x-forwarded-prefix': prefix })).prefix).toBe(expected);
});
