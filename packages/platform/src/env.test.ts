import { describe, expect, it } from 'vitest';
import { BootError } from './boot-error.ts';
import { readEnv } from './env.ts';
import { isLoopback, parsePlatformListen, parseTcpAddress } from './listen-address.ts';

describe('the environment', () => {
  it('has defaults for everything', () => {
    const env = readEnv({ DATA_DIR: '/srv/data' });
    expect(env.listen).toEqual({ kind: 'socket', path: '/srv/data/run/platform.sock' });
    expect(env.hlsPath).toBe('/srv/data/hls');
    expect(env.mediaServerApi).toEqual({ host: '127.0.0.1', port: 1985 });
    expect(env.taskLimits).toEqual({ forward: 10, vlive: 10, camera: 10 });
    expect(readEnv({}).dataDir).toMatch(/\/data$/);
  });

  it('keeps the password as it is typed', () => {
    expect(readEnv({ MGMT_PASSWORD: ' a b ' }).adminPassword).toBe(' a b ');
  });

  it.each([
    ['2024', '127.0.0.1', 2024],
    [':2024', '127.0.0.1', 2024],
    ['0.0.0.0:0', '0.0.0.0', 0],
    ['[::1]:65535', '::1', 65_535],
  ])('reads the address %s', (text, host, port) => {
    expect(parseTcpAddress('X', text)).toEqual({ host, port });
  });

  it.each(['', 'x', '1:2:3', '65536', '-1', '1.5', 'host:', '1e3'])('refuses the address %j', (text) => {
    expect(() => parseTcpAddress('X', text)).toThrow(BootError);
  });

  it('takes a metrics token that cannot be guessed, or none', () => {
    expect(readEnv({}).metricsToken).toBe('');
    expect(readEnv({ METRICS_TOKEN: ' sixteen-letters- ' }).metricsToken).toBe('sixteen-letters-');
    for (const METRICS_TOKEN of ['short', 'with a blank inside it', 'mit-ümläuten-und-mehr']) {
      expect(() => readEnv({ METRICS_TOKEN })).toThrow(BootError);
    }
  });

  it('listens for this machine only', () => {
    expect(parsePlatformListen('/run/x.sock')).toEqual({ kind: 'socket', path: '/run/x.sock' });
    expect(parsePlatformListen('localhost:0')).toEqual({ kind: 'tcp', host: 'localhost', port: 0 });
    for (const text of ['0.0.0.0:1', '[::]:1', '10.0.0.1:1', 'example.com:1'])
      expect(() => parsePlatformListen(text)).toThrow(BootError);
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
  ])('knows loopback %s → %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});
