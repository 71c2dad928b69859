import { expect, it } from 'vitest';
import { isOwnHost } from './local-callers.ts';

it.each([
  ['127.0.0.1:1985', '127.0.0.1', true],
  ['127.1.2.3', '127.0.0.1', true],
  ['localhost:1985', '127.0.0.1', true],
  ['LOCALHOST', '127.0.0.1', true],
  ['[::1]:1985', '127.0.0.1', true],
  [undefined, '127.0.0.1', true],
  ['evil.example', '127.0.0.1', false],
  ['evil.example:1985', '127.0.0.1', false],
  ['127.0.0.1.evil.example', '127.0.0.1', false],
  ['localhost.evil.example', '127.0.0.1', false],
  ['127.0.0.1@evil.example', '127.0.0.1', false],
  ['', '127.0.0.1', false],
  ['10.0.0.5:1985', '127.0.0.1', false],
  ['10.0.0.5:1985', '10.0.0.5', true],
  ['api.lan:1985', 'api.lan', true],
  ['evil.example', 'api.lan', false],
  ['10.0.0.5', undefined, true],
  ['[2001:db8::5]:1985', '::', true],
  ['srs:1985', '0.0.0.0', true],
  ['evil.example', '0.0.0.0', false],
])('the host %s of an API that listens on %s: %s', (host, configured, isOwn) => {
  expect(isOwnHost(host, configured)).toBe(isOwn);
});

it('accepts a configured name, and none that only resembles it', () => {
  const names = ['live.example.com'];
  expect(isOwnHost('Live.Example.com:2022', '127.0.0.1', names)).toBe(true);
  for (const host of ['example.com', 'x.live.example.com', 'live.example.com.evil.example'])
    expect(isOwnHost(host, '127.0.0.1', names)).toBe(false);
});
