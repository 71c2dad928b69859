// RTSP with FFmpeg at both ends, over TCP, UDP and TLS: publishing with the secret, playing over RTSP and further
// protocols, refusals, disconnects.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, probe } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-rtsp-'));
  product = await startProduct({ RTSP_LISTEN: '0', RTSPS_LISTEN: '0', RTSP_UDP_LISTEN: '0' });
  admin = await setUp(product, 'rtsp password');
});
afterAll(async () => {
  await product?.remove();
  rmSync(folder, { recursive: true });
});
afterEach(stopAllFfmpeg);

const rtspUrl = (streamAndQuery: string) => `rtsp://127.0.0.1:${product.ports.rtsp}/live/${streamAndQuery}`;
const rtspsUrl = (streamAndQuery: string) => `rtsps://127.0.0.1:${product.ports.rtsps}/live/${streamAndQuery}`;
const publish = (url: string, transport = 'tcp') =>
  runFfmpeg(
    testSourceArguments({ video: { size: '320x180' }, audio: {} }).then((args) => [
      ...args,
      ...['-f', 'rtsp', '-rtsp_transport', transport, url],
    ]),
  );
const liveStream = async (name: string) =>
  (await admin.call(endpoints.queryLive, {})).streams.find(({ stream }) => stream === name);

it.each([
  ['TCP', 'tcp', rtspUrl],
  ['UDP', 'udp', rtspUrl],
  ['TLS', 'tcp', rtspsUrl],
])(
  'publishes over %s with the secret, plays over RTSP and HTTP-FLV, and can be disconnected',
  async (_name, transport, url) => {
    const publisher = publish(url(`camera?${admin.publishQuery}`), transport);
    await publisher.sending(40);
    const stream = await until('the stream is listed', () => liveStream('camera'));
    expect(stream.publisherProtocol).toBe('rtsp');
    const inputs = {
      tcp: ['-rtsp_transport', 'tcp', '-i', rtspUrl('camera')],
      udp: ['-rtsp_transport', 'udp', '-i', rtspUrl('camera')],
      tls: ['-i', rtspsUrl('camera')],
      flv: ['-i', `${product.url}/live/camera.flv`],
    };
    await Promise.all(Object.entries(inputs).map(([name, input]) => expectPlays(name, input)));

    await admin.call(endpoints.kickStream, { app: 'live', stream: 'camera', vhost: stream.vhost });
    expect(await publisher.exited).not.toBe(0);
  },
);

async function expectPlays(name: string, input: readonly string[]): Promise<void> {
  const file = join(folder, `${name}.mkv`);
  const player = runFfmpeg([...input, '-t', '3', '-c:v', 'ffv1', '-c:a', 'pcm_s16le', '-y', file]);
  expect(await player.exited, `${name}: ${player.log()}`).toBe(0);
  const received = await probe(file);
  expect(packetsOf(received, 'video').length, name).toBeGreaterThan(50);
  expect(packetsOf(received, 'audio').length, name).toBeGreaterThan(50);
}

it('publishes with a stream key as the password, which Digest does not send; revoking the key ends it', async () => {
  const key = await admin.call(endpoints.createStreamKey, { name: 'Camera', pattern: 'live/keyed', expiresAt: null });
  const url = (stream: string) => `rtsp://camera:${key.secret}@127.0.0.1:${product.ports.rtsp}/live/${stream}`;
  const refused = publish(url('not-keyed'));
  expect(await refused.exited).not.toBe(0);
  expect(refused.log()).toMatch(/401/);
  const publisher = publish(url('keyed'));
  await publisher.sending(20);
  await until('the stream is listed', () => liveStream('keyed'));
  expect(await admin.call(endpoints.revokeStreamKey, { id: key.id })).toEqual({ ended: 1 });
  expect(await publisher.exited).not.toBe(0);
});

it('refuses a publisher with a wrong secret, and lists it', async () => {
  const publisher = publish(rtspUrl('other?secret=wrong'));
  expect(await publisher.exited).not.toBe(0);
  expect(publisher.log()).toMatch(/401|403/);
  expect(await liveStream('other')).toBeUndefined();
});

it('starts without RTSP when another program uses the port, and reports the port and its variable', async () => {
  const other = await startProduct({ RTSP_LISTEN: `127.0.0.1:${product.ports.rtsp}` });
  try {
    expect(other.ports.rtsp).toBeUndefined();
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    expect(other.output()).toContain('RTSP is not available');
    expect(other.output()).toMatch(new RegExp(`${product.ports.rtsp} is already in use.*RTSP_LISTEN`));
  } finally {
    await other.remove();
  }
});
