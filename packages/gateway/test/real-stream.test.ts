// The real engine in the gateway: FFmpeg publishes, ffprobe reads FLV and HLS through the public port, and the control plane stops
// meanwhile.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEngine } from '@srs-stack/engine';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../src/app.ts';
import { readEnv } from '../src/env.ts';
import { bodyText, type FakePlatform, startFakePlatform } from './fake-platform.ts';
import { freePorts, makeDataDir } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';
import { publishClip } from './publish-clip.ts';

const run = promisify(execFile);

async function startReal() {
  const dataDir = await makeDataDir();
  const socketPath = join(dataDir, 'p.sock');
  const env = readEnv({ DATA_DIR: dataDir, PLATFORM_LISTEN: socketPath, ...freePorts });
  const platform = await startFakePlatform(socketPath);
  const gateway = await startGateway({ env, log: pino({ level: 'silent' }), createEngine });
  onTestFinished(async () => {
    await gateway.close();
    await platform.close();
  });
  return { platform, gateway, env, socketPath, ports: gateway.ports };
}

/** Records callbacks. `next` waits for a callback with this action. */
function listenTo(platform: FakePlatform) {
  const waiting = new Map<string, (body: Record<string, unknown>) => void>();
  platform.answer = async (incoming, response) => {
    const body = JSON.parse((await bodyText(incoming)) || '{}');
    response.end('{"code":0}');
    waiting.get(body.action)?.(body);
  };
  return {
    next: (action: string) => new Promise<Record<string, unknown>>((resolve) => waiting.set(action, resolve)),
  };
}

const picture = expect.arrayContaining(['aac', 'h264']);

async function codecsOf(url: string): Promise<string[]> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name,width',
    '-of',
    'json',
    url,
  ]);
  return JSON.parse(stdout)
    .streams.map((each: { codec_name: string }) => each.codec_name)
    .sort();
}

test('a publisher is authorized, plays as FLV, and its end is reported', async () => {
  const { platform, ports } = await startReal();
  const callbacks = listenTo(platform);
  const [begun, played, ended] = ['on_publish', 'on_play', 'on_unpublish'].map(callbacks.next);
  const encoder = publishClip(ports.rtmp, 'one');
  expect(await begun).toMatchObject({ app: 'live', stream: 'one', vhost: '__defaultVhost__', stream_url: '/live/one' });
  expect(await codecsOf(`http://127.0.0.1:${ports.http}/live/one.flv`)).toEqual(picture);
  expect(await played).toMatchObject({ app: 'live', stream: 'one', ip: '127.0.0.1' });
  const { streams } = JSON.parse((await ask({ port: ports.srsApi, path: '/api/v1/streams/' })).body);
  expect(streams[0]).toMatchObject({ name: 'one', publish: { active: true }, video: { codec: 'H264', width: 320 } });

  const kicked = await ask({ port: ports.srsApi, path: `/api/v1/clients/${streams[0].publish.cid}`, method: 'DELETE' });
  expect(JSON.parse(kicked.body).code).toBe(0);
  expect(await ended).toMatchObject({ client_id: streams[0].publish.cid });
  encoder.kill();
});

test('a stream plays as HLS and its segments are reported', async () => {
  const { platform, ports } = await startReal();
  const firstSegment = listenTo(platform).next('on_hls');
  const encoder = publishClip(ports.rtmp, 'hls');
  expect(await firstSegment).toMatchObject({
    url: expect.stringMatching(/^live\/hls-\d+.*\.ts$/),
    m3u8_url: 'live/hls.m3u8',
    duration: expect.any(Number),
  });
  expect(await codecsOf(`http://127.0.0.1:${ports.http}/live/hls.m3u8`)).toEqual(picture);
  encoder.kill();
});

test('viewers continue without the control plane, new publishers do not start', async () => {
  const { platform, ports } = await startReal();
  const callbacks = listenTo(platform);
  const begun = callbacks.next('on_publish');
  const encoder = publishClip(ports.rtmp, 'two');
  await begun;

  const playing = request({ port: ports.http, path: '/live/two.flv', headers: { origin: 'http://elsewhere' } }).end();
  const [viewer] = await once(playing, 'response');
  await once(viewer, 'data');
  await platform.close();

  let received = 0;
  viewer.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  const second = publishClip(ports.rtmp, 'three');
  expect((await once(second, 'exit'))[0]).not.toBe(0);
  const away = await ask({ port: ports.http, path: '/terraform/v1/mgmt/status' });
  expect([away.status, JSON.parse(away.body).data.name]).toEqual([502, 'controlPlaneRestarting']);
  expect(await codecsOf(`http://127.0.0.1:${ports.http}/live/two.flv`), 'new viewers are admitted').toEqual(picture);
  expect(received).toBeGreaterThan(10_000);
  const { refusals } = JSON.parse((await ask({ port: ports.srsApi, path: '/api/v1/refusals/' })).body);
  expect(refusals[0]).toMatchObject({ stream: 'three', reason: 'control-plane-away' });
  viewer.destroy();
  encoder.kill();
});
