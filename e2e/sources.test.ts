// Pulled sources other than RTSP: each kind is pulled by the media server or by FFmpeg. A failing source reports its reason.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CameraRow, endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf } from './support/ffprobe.ts';
import { freePort } from './support/free-port.ts';
import { type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { untilState } from './support/scenario-rows.ts';
import { testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';

let product: Product;
/** A product without `SOURCE_NETWORKS`, which therefore refuses UDP sources. */
let strict: Product;
let admin: Admin;
let strictAdmin: Admin;
let folder: string;
let originUrl: string;

const origin = createServer((request, response) => {
  try {
    response.end(readFileSync(join(folder, request.url ?? '')));
  } catch {
    response.writeHead(404).end();
  }
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-sources-'));
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  [product, strict] = await Promise.all([startProduct({ SOURCE_NETWORKS: '127.0.0.0/8' }), startProduct()]);
  admin = await setUp(product, 'source password');
  strictAdmin = await setUp(strict, 'source password');
});
afterAll(async () => {
  await Promise.all([product?.remove(), strict?.remove()]);
  origin.closeAllConnections();
  origin.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const platform of Object.keys((await admin.call(endpoints.cameraSecret, {})) ?? {})) {
    await admin.call(endpoints.removeCamera, { platform });
  }
  await stopAllFfmpeg();
});

/** Runs FFmpeg as the source, in real time. `output` are the last arguments of FFmpeg. */
const send = (...output: string[]) =>
  runFfmpeg(testSourceArguments({ video: {}, audio: {} }).then((args) => [...args, ...output]));
const rowOf = async (platform: string, of = admin): Promise<CameraRow> =>
  (await of.call(endpoints.cameraStreams, {})).find((row) => row.platform === platform)!;
const save = async (platform: string, url: string, of = admin) => {
  const checked = await of.call(endpoints.cameraStreamUrl, { url });
  const media = { format: null, video: null, audio: null };
  await of.call(endpoints.cameraSecret, {
    ...{ action: 'update', platform, server: '', secret: platform.replace('camera-', ''), enabled: true, custom: true },
    files: [{ ...checked, path: '', type: 'stream' as const, ...media }],
    label: '',
  });
};
const play = async (stream: string) => {
  const { received } = await recordSeconds(product.rtmpUrl(stream), folder, 3);
  expect(packetsOf(received, 'video').length).toBeGreaterThan(40);
  expect(packetsOf(received, 'audio').length).toBeGreaterThan(40);
};
const goLive = async (name: string, ...options: string[]) => {
  const encoder = send('-f', 'hls', '-hls_time', '2', '-hls_list_size', '6', ...options, join(folder, `${name}.m3u8`));
  await encoder.sending(150);
};

it('an SRT listener is called; its passphrase is in no row', async () => {
  const port = await freePort();
  const passphrase = 'correct horse battery';
  send('-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener&passphrase=${passphrase}`);
  await save('camera-srt', `srt://127.0.0.1:${port}?passphrase=${encodeURIComponent(passphrase)}`);
  expect(await untilState('running', () => rowOf('camera-srt'))).toMatchObject({ pid: 0, kind: 'srt' });
  await play('srt');
  expect(JSON.stringify(await rowOf('camera-srt'))).not.toContain('horse');
  await save('camera-srt', `srt://127.0.0.1:${port}?passphrase=wrong%20passphrase`);
  const refused = await until('the passphrase is refused', async () => {
    const row = await rowOf('camera-srt');
    return row.reason === 'none' ? undefined : row;
  });
  // The FFmpeg source accepts one caller and then exits, so a later call may get no response.
  expect(['not-authorized', 'connection-refused', 'timeout']).toContain(refused.reason);
});

it('MPEG-TS over UDP and in a multicast group is received; a second source on the port is refused', async () => {
  const [port, group] = [await freePort(), await freePort()];
  send('-f', 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`);
  send('-f', 'rtp_mpegts', `rtp://239.255.7.9:${group}?localaddr=127.0.0.1&pkt_size=1316`);
  await save('camera-udp', `udp://:${port}`);
  await save('camera-group', `rtp://127.0.0.1@239.255.7.9:${group}?localaddr=127.0.0.1`);
  expect(await untilState('running', () => rowOf('camera-udp'))).toMatchObject({ pid: 0, kind: 'udp' });
  await play('udp');
  await untilState('running', () => rowOf('camera-group'));
  await save('camera-second', `udp://:${port}`);
  await until('the port is refused', async () => (await rowOf('camera-second')).reason === 'failed');
  expect((await rowOf('camera-second')).reasonDetail).toContain(`UDP port ${port}`);
  expect((await rowOf('camera-udp')).restarts).toBe(0);
});

it('UDP is refused, with the remedy, unless networks of senders are configured', async () => {
  await save('camera-udp', `udp://:${await freePort()}`, strictAdmin);
  await until('it is refused', async () => (await rowOf('camera-udp', strictAdmin)).reason === 'address-refused');
  expect((await rowOf('camera-udp', strictAdmin)).reasonDetail).toContain('set SOURCE_NETWORKS');
});

it('an HLS stream in MPEG-TS is pulled without a process, and one in fragmented MP4 by FFmpeg', async () => {
  await goLive('ts', '-hls_flags', 'delete_segments+temp_file');
  await save('camera-ts', `${originUrl}/ts.m3u8`);
  expect(await untilState('running', () => rowOf('camera-ts'))).toMatchObject({ pid: 0, kind: 'hls' });
  await play('ts');
  await save('camera-ts', `${originUrl}/nowhere.m3u8`);
  await until('the path is unknown', async () => (await rowOf('camera-ts')).reason === 'not-found');

  const parts = ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'mp4-init.mp4'];
  await goLive('mp4', ...parts, '-hls_flags', 'delete_segments+temp_file');
  await save('camera-mp4', `${originUrl}/mp4.m3u8`);
  await until('FFmpeg pulls it', async () => (await rowOf('camera-mp4')).pid > 0);
  expect(await untilState('running', () => rowOf('camera-mp4'))).toMatchObject({ kind: 'hls', reason: 'none' });
  await play('mp4');
});
