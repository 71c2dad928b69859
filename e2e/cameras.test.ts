// RTSP cameras: the media server pulls them and plays them like other streams, also after restarts of camera and servers.
// One test also forwards a source to an RTMP target.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CameraRow, endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf } from './support/ffprobe.ts';
import { portsToReturnTo } from './support/free-port.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { untilState } from './support/scenario-rows.ts';
import { testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';

let product: Product;
let camera: Product;
let admin: Admin;
let cameraAdmin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-cameras-'));
  [product, camera] = await Promise.all([
    startProduct(await portsToReturnTo()),
    startProduct({ RTSP_LISTEN: '0', RTSPS_LISTEN: '0' }),
  ]);
  admin = await setUp(product, 'camera password');
  cameraAdmin = await setUp(camera, 'camera password');
});
afterAll(async () => {
  await Promise.all([product?.remove(), camera?.remove()]);
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const platform of Object.keys((await admin.call(endpoints.cameraSecret, {})) ?? {})) {
    await admin.call(endpoints.removeCamera, { platform });
  }
  await stopAllFfmpeg();
});

const cameraUrl = (scheme: 'rtsp' | 'rtsps' = 'rtsp') => `${scheme}://127.0.0.1:${camera.ports[scheme]}/live/source`;
const film = async () => {
  const run = runFfmpeg(
    testSourceArguments({ video: {}, audio: {} }).then((args) => [
      ...args,
      ...['-f', 'rtsp', '-rtsp_transport', 'tcp', `${cameraUrl()}?${cameraAdmin.publishQuery}`],
    ]),
  );
  await run.sending(20);
  return run;
};
const rowOf = async (platform: string): Promise<CameraRow> =>
  (await admin.call(endpoints.cameraStreams, {})).find((row) => row.platform === platform)!;
const source = (target: string) => ({ name: 'source', path: '', size: 0, uuid: 'u', target, type: 'stream' as const });
const save = (platform: string, fields: object) =>
  admin.call(endpoints.cameraSecret, {
    ...{ action: 'update', platform, server: '', secret: 'door', enabled: true, custom: true, label: 'Door' },
    files: [{ ...source(cameraUrl()), format: null, video: null, audio: null }],
    ...fields,
  });
const play = async (stream: string) => {
  const { received } = await recordSeconds(product.rtmpUrl(stream), folder, 3);
  expect(packetsOf(received, 'video').length).toBeGreaterThan(50);
  expect(packetsOf(received, 'audio').length).toBeGreaterThan(50);
};

it('is pulled without an FFmpeg process, and continues while the control plane is killed', async () => {
  await film();
  expect(await admin.call(endpoints.testCamera, { url: cameraUrl() })).toMatchObject({
    video: { codec_name: 'h264' },
    audio: { codec_name: 'aac' },
  });
  await save('camera-1', {});
  const row = await untilState('running', () => rowOf('camera-1'));
  expect(row).toMatchObject({ stream: 'live/door', pid: 0, restarts: 0, reason: 'none' });
  await until('the progress line is there', async () => (await rowOf('camera-1')).frame?.log);
  await play('door');
  await product.kill('platform');
  await answersAgain(product);
  expect((await untilState('running', () => rowOf('camera-1'))).restarts).toBe(0);
});

it('is on the air again after the media server was killed, and after the camera was down', async () => {
  const lens = await film();
  await save('camera-1', {});
  await untilState('running', () => rowOf('camera-1'));
  await product.kill('gateway');
  await answersAgain(product);
  await untilState('running', () => rowOf('camera-1'));
  await play('door');
  await lens.stop();
  await until('the camera is unavailable', async () => (await rowOf('camera-1')).state !== 'running');
  await film();
  await untilState('running', () => rowOf('camera-1'));
});

it('on demand is pulled for its first viewer and closed after the last, also after restarts of both servers', async () => {
  await film();
  await save('camera-1', { onDemand: true });
  await untilState('waiting', () => rowOf('camera-1'));
  await play('door');
  expect((await rowOf('camera-1')).restarts).toBe(0);
  await untilState('waiting', () => rowOf('camera-1'));
  await product.kill('platform');
  await play('door');
  await answersAgain(product);
  await product.kill('gateway');
  await answersAgain(product);
  await untilState('waiting', () => rowOf('camera-1'));
  await play('door');
});

it('over RTSPS is refused for its certificate, unless the camera is set to accept any certificate', async () => {
  await film();
  const files = [{ ...source(cameraUrl('rtsps')), format: null, video: null, audio: null }];
  await save('camera-1', { files });
  await until('the certificate is refused', async () => (await rowOf('camera-1')).reason === 'tls-failed');
  await save('camera-1', { files, acceptsAnyCertificate: true });
  await untilState('running', () => rowOf('camera-1'));
});

it('forwards a source to an RTMP target of this server; FFmpeg adds a silent track', async () => {
  await film();
  const probed = await admin.call(endpoints.cameraSource, { platform: 'bilibili', files: [source(cameraUrl())] });
  expect(probed.files[0]).toMatchObject({ uuid: 'u', video: { codec_name: 'h264' } });
  const target = {
    ...{ server: `rtmp://localhost:${product.ports.rtmp}/live/`, secret: `garden?${admin.publishQuery}` },
    files: probed.files,
  };
  await save('bilibili', target);
  expect(await untilState('running', () => rowOf('bilibili'))).toMatchObject({ pid: 0 });
  await play('garden');
  await save('bilibili', { ...target, extraAudio: 'silent' });
  await until('FFmpeg sends it', async () => (await rowOf('bilibili')).pid > 0);
  await untilState('running', () => rowOf('bilibili'));
  await play('garden');
});
