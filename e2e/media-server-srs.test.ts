// MEDIA_SERVER=srs: the product controls an external media server only by SRS's HTTP API and callbacks.
// A second gateway acts as the SRS, in a separate process with its own ports and folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { freePort } from './support/free-port.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const gatewayMain = fileURLToPath(new URL('../packages/gateway/src/main.ts', import.meta.url));
const callbackSecret = 'shared-by-both';
let folder: string;
let productPort: number;
let srs: ChildProcess;
let ports: BoundPorts;
let product: Product;
let admin: Admin;

/** Starts the external media server, which sends callbacks to the public port of the product. */
async function startSrs(fixed: Record<string, string> = {}): Promise<void> {
  const dataDir = join(folder, 'srs');
  srs = spawn(process.execPath, [gatewayMain], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      HLS_PATH: join(folder, 'hls'),
      PLATFORM_LISTEN: `127.0.0.1:${productPort}`,
      CALLBACK_SECRET: callbackSecret,
      MGMT_LISTEN: '127.0.0.1:0',
      HTTPS_LISTEN: '127.0.0.1:0',
      RTMP_LISTEN: '127.0.0.1:0',
      SRT_LISTEN: 'off',
      RTC_LISTEN: 'off',
      SRS_API_LISTEN: '127.0.0.1:0',
      ...fixed,
    },
    stdio: 'ignore',
  });
  ports = await until('the media server has its ports', () => {
    try {
      const read = JSON.parse(readFileSync(join(dataDir, 'run/ports.json'), 'utf8')) as BoundPorts;
      return read.pid === srs.pid ? read : undefined;
    } catch {
      return undefined;
    }
  });
}

async function killSrs(): Promise<void> {
  const ended = once(srs, 'exit');
  srs.kill('SIGKILL');
  await ended;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-beside-'));
  // Operators of SRS include the file that the product writes. Here a link replaces the include.
  mkdirSync(join(folder, 'srs/config'), { recursive: true });
  mkdirSync(join(folder, 'hls'));
  symlinkSync(join(folder, 'product/config/srs.vhost.conf'), join(folder, 'srs/config/srs.vhost.conf'));
  productPort = await freePort();
  await startSrs();
  product = await startProduct({
    DATA_DIR: join(folder, 'product'),
    MGMT_LISTEN: String(productPort),
    MEDIA_SERVER: 'srs',
    SRS_API_SERVER: `127.0.0.1:${ports.srsApi}`,
    SRS_HTTP_SERVER: `127.0.0.1:${ports.http}`,
    RTMP_PORT: String(ports.rtmp),
    SRT_LISTEN: 'off',
    RTC_LISTEN: 'off',
    HLS_PATH: join(folder, 'hls'),
    CALLBACK_SECRET: callbackSecret,
  });
  admin = await setUp(product, 'a long first password');
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await product?.stop();
  srs?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const publish = (stream: string, query = admin.publishQuery): FfmpegRun =>
  publishTestSource(product.rtmpUrl(`${stream}?${query}`), { video: {}, audio: {} });
const liveNames = async () => (await admin.call(endpoints.queryStreams, {})).streams.map(({ stream }) => stream);
const isLive = (stream: string) => until(`${stream} is live`, async () => (await liveNames()).includes(stream));

test('the components page names the engine and the features that it supports', async () => {
  const { mediaServer, components } = await admin.call(endpoints.queryComponents, {});
  expect(mediaServer).toMatchObject({ engine: 'srs', api: `127.0.0.1:${ports.srsApi}`, isUp: true });
  expect(mediaServer.abilities).toEqual(expect.arrayContaining(['streams', 'kick', 'reload']));
  expect(components.find(({ name }) => name === 'rtmp')?.state).toBe('foreign');
  await expect(admin.call(endpoints.updateComponent, { name: 'rtmp', enabled: false })).rejects.toMatchObject({
    errorName: 'componentForeign',
  });
  expect(product.ports.rtmp).toBe(ports.rtmp);
  expect(product.output()).not.toContain('does not respond');
});

test('a publisher with the secret is admitted, listed and played over the product’s port, and refused without it', async () => {
  publish('lobby');
  await isLive('lobby');
  const viewer = runFfmpeg(['-i', `${product.url}/live/lobby.flv`, '-c', 'copy', '-f', 'null', '-']);
  await viewer.sending(25);
  const hls = await until('the playlist', async () => {
    const response = await fetch(`${product.url}/live/lobby.m3u8`);
    return response.ok && response.text();
  });
  expect(hls).toContain('#EXTM3U');
  expect(await publish('thief', 'secret=wrong').exited).not.toBe(0);
  expect(await liveNames()).toEqual(['lobby']);
});

test('a kick uses the API of the media server and ends the encoder', async () => {
  const publisher = publish('kicked');
  await isLive('kicked');
  const row = (await admin.call(endpoints.queryStreams, {})).streams.find(({ stream }) => stream === 'kicked');
  await admin.call(endpoints.kickStream, { vhost: row?.vhost ?? '', app: 'live', stream: 'kicked' });
  expect(await publisher.exited).not.toBe(0);
  expect(await liveNames()).not.toContain('kicked');
});

test('HLS settings reach it by the shared file and a reload', async () => {
  publish('counted');
  await isLive('counted');
  await admin.call(endpoints.updateHighPerformanceHls, { noHlsCtx: true });
  await until('the playlist has no contexts', async () => {
    const text = await (await fetch(`${product.url}/live/counted.m3u8`)).text();
    return text.includes('#EXTINF') && !text.includes('hls_ctx');
  });
  await admin.call(endpoints.updateHighPerformanceHls, { noHlsCtx: false });
});

test('while the media server is down, the product reports that and refuses settings; it detects the return', async () => {
  const { rtmp, http, srsApi } = ports;
  await killSrs();
  const away = await admin.call(endpoints.queryComponents, {});
  expect(away.mediaServer).toMatchObject({ isUp: false, abilities: [] });
  await expect(admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true })).rejects.toMatchObject({
    errorName: 'mediaServerUnreachable',
  });
  expect((await fetch(`${product.url}/live/lobby.flv`)).status).toBe(502);
  await startSrs({
    RTMP_LISTEN: `127.0.0.1:${rtmp}`,
    MGMT_LISTEN: `127.0.0.1:${http}`,
    SRS_API_LISTEN: `127.0.0.1:${srsApi}`,
  });
  await until('it is up again', async () => (await admin.call(endpoints.queryComponents, {})).mediaServer.isUp);
  publish('again');
  await isLive('again');
});
