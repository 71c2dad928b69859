import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

test('defaults match the documentation', () => {
  const env = readEnv({ DATA_DIR: '/data' });
  expect(env).toMatchObject({
    dataDir: '/data',
    httpListen: { port: 2022 },
    httpsListen: { port: 2443 },
    rtmpListen: { port: 1935 },
    srsApiListen: { host: '127.0.0.1', port: 1985 },
    platform: { socketPath: '/data/run/platform.sock' },
    hlsPath: '/data/hls',
    mergeWindowMs: 30,
    trustedProxies: [],
    logFormat: 'json',
  });
});

test('a data folder path too long for a socket gets a short socket path, the same each time', () => {
  const dataDir = `/${'d'.repeat(100)}`;
  const { platform } = readEnv({ DATA_DIR: dataDir });
  expect(readEnv({ DATA_DIR: dataDir }).platform).toEqual(platform);
  expect('socketPath' in platform && platform.socketPath.length).toBeLessThan(100);
});

test('relative paths are resolved, the HLS folder below the data folder', () => {
  const env = readEnv({ DATA_DIR: './d', HLS_PATH: 'segments' });
  expect([env.dataDir, env.hlsPath]).toEqual([join(process.cwd(), 'd'), join(process.cwd(), 'd/segments')]);
});

test('refuses a merge window that is not a number of milliseconds', () => {
  for (const text of ['-1', 'x', '5000']) expect(() => readEnv({ MERGE_WINDOW_MS: text })).toThrow('MERGE_WINDOW_MS');
});

test('SRS servers are pairs of API and HTTP addresses in the same order', () => {
  const srs = (api: string, http: string) =>
    readEnv({ MEDIA_SERVER: 'srs', SRS_API_SERVER: api, SRS_HTTP_SERVER: http }).srs?.servers;
  expect(srs('a:1985, b:1986', 'a:8080 8081')).toEqual([
    { api: { host: 'a', port: 1985 }, http: { host: 'a', port: 8080 } },
    { api: { host: 'b', port: 1986 }, http: { host: '127.0.0.1', port: 8081 } },
  ]);
  expect(() => srs('a:1985,b:1985', 'a:8080')).toThrow('SRS_HTTP_SERVER');
});

test('WebRTC over TCP needs a port, one per gateway, and the built-in transport', () => {
  const tcpOf = (variables: Record<string, string>) => readEnv(variables).rtcTcpListen;
  expect([tcpOf({}), tcpOf({ RTC_TCP_LISTEN: 'off' })]).toEqual([undefined, undefined]);
  expect(tcpOf({ RTC_TCP_LISTEN: '192.0.2.7:443' })).toEqual({ host: '192.0.2.7', port: 443 });
  expect(tcpOf({ RTC_TCP_LISTEN: '8000', GATEWAYS: '2', GATEWAY_INDEX: '1' })).toEqual({ port: 8_001 });
  for (const rival of [{ RTC_TRANSPORT: 'node-datachannel' }, { RTC_PORT_RANGE: '9000-9099' }])
    expect(() => readEnv({ RTC_TCP_LISTEN: '8000', ...rival })).toThrow(
      `RTC_TCP_LISTEN and ${Object.keys(rival)[0]} cannot both be set`,
    );
});

test('WebRTC uses the built-in transport unless the library is configured', () => {
  const transportOf = (variables: Record<string, string>) => readEnv(variables).rtcTransport;
  expect([transportOf({}), transportOf({ RTC_TRANSPORT: 'auto' })]).toEqual([undefined, undefined]);
  expect(transportOf({ RTC_TRANSPORT: 'node-datachannel' })).toBe('node-datachannel');
  for (const text of ['native', 'Auto', 'on'])
    expect(() => readEnv({ RTC_TRANSPORT: text })).toThrow(`must be auto or node-datachannel, not "${text}"`);
});
