// Forwards that the media server sends without FFmpeg (FORWARD_WITH=engine). The streams arrive unchanged at external
// servers. A killed control plane does not interrupt forwards. A killed media server does: forwards resume when the
// publisher reconnects.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { patience } from '../scripts/test-run/patience.ts';
import { type Admin, setUp } from './support/api.ts';
import { publishClip, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, probe, streamOf } from './support/ffprobe.ts';
import { freePort, portsToReturnTo } from './support/free-port.ts';
import { answersAgain, mediaServerClients, type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { startRtmpSink } from './support/rtmp-sink.ts';
import { ffmpegsWith, forwardRow, untilState } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

/** Longest time from the first frames of the publisher to media at the target, after a restart of the gateway, milliseconds. */
const backWithinMs = 2_000 * patience;

let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-push-'));
  product = await startProduct({ FORWARD_WITH: 'engine', ...(await portsToReturnTo()) });
  admin = await setUp(product, 'push password');
});
afterAll(async () => {
  await product?.remove();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const platform of Object.keys((await admin.call(endpoints.forwardSecret, {})) ?? {})) {
    await admin.call(endpoints.removeForward, { platform });
  }
  await stopAllFfmpeg();
});

const forward = (platform: string, server: string, secret: string) =>
  admin.call(endpoints.forwardSecret, { action: 'update', platform, server, secret, enabled: true, custom: true });
const publish = async () => {
  const encoder = publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} });
  await encoder.sending(20);
  return encoder;
};

it('sends the clip unchanged without an FFmpeg process and stops when the operator stops it', async () => {
  await publishClip(product.rtmpUrl(`clip?${admin.publishQuery}`)).sending(60);
  const server = `rtmp://127.0.0.1:${product.ports.rtmp}/remote/`;
  await forward('wx', server, `arrived?${admin.publishQuery}`);
  const row = await untilState('running', () => forwardRow(admin, 'wx'));
  expect(row).toMatchObject({ stream: 'live/clip', restarts: 0, reason: 'none', pid: 0 });
  expect(ffmpegsWith(server)).toEqual([]);
  await until('the progress line is there', async () => (await forwardRow(admin, 'wx')).frame?.log);

  const { received } = await recordSeconds(`${server}arrived`, folder, 3);
  const source = await probe(product.rtmpUrl('clip'), { seconds: 1 });
  for (const kind of ['video', 'audio'] as const) {
    expect(streamOf(received, kind).extradata_hash).toBe(streamOf(source, kind).extradata_hash);
  }
  expect(packetsOf(received, 'video').length).toBeGreaterThan(60);

  await admin.call(endpoints.forwardSecret, { action: 'update', platform: 'wx', server, secret: 'x', enabled: false });
  await untilState('stopped', () => forwardRow(admin, 'wx'));
  await until('the stream at the target has ended', async () => {
    const { streams } = await admin.call(endpoints.queryStreams, {});
    return streams.every(({ app }) => app !== 'remote');
  });
});

it.each(['rtmp', 'srt'] as const)(
  'FFmpeg that listens over %s decodes what arrives without an error',
  async (scheme) => {
    const port = await freePort();
    const file = join(folder, `${scheme}.mkv`);
    const listen =
      scheme === 'rtmp'
        ? ['-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/key`]
        : ['-i', `srt://127.0.0.1:${port}?mode=listener`];
    const receiver = runFfmpeg([...listen, '-t', '3', '-c', 'copy', '-y', file]);
    await publish();
    await forward(
      `forwarding-${scheme}`,
      scheme === 'rtmp' ? `rtmp://127.0.0.1:${port}/live` : `srt://127.0.0.1:${port}`,
      'key',
    );
    expect(await receiver.exited, receiver.log()).toBe(0);
    const decoder = runFfmpeg(['-xerror', '-i', file, '-f', 'null', '-']);
    expect(await decoder.exited, decoder.log()).toBe(0);
    const received = await probe(file);
    expect(packetsOf(received, 'video').length).toBeGreaterThan(60);
    expect(packetsOf(received, 'audio').length).toBeGreaterThan(60);
  },
);

it('delays a target, shows the wait before the first media, and sends the delayed rest after the publisher has ended', async () => {
  const sink = await startRtmpSink();
  const delaySeconds = 3;
  const target = { platform: 'wx', server: `${sink.url}/live`, secret: 'key', enabled: true, custom: true };
  try {
    const encoder = await publish();
    const orderedAt = performance.now();
    await admin.call(endpoints.forwardSecret, { ...target, action: 'update', delaySeconds });
    const waiting = await untilState('waiting', () => forwardRow(admin, 'wx'));
    expect(waiting.reason).toBe('delayed');
    await until('media arrive', () => (sink.arrived[0]?.mediaCount ?? 0) > 0);
    expect(performance.now() - orderedAt).toBeGreaterThan(delaySeconds * 1000);
    await untilState('running', () => forwardRow(admin, 'wx'));
    await product.kill('platform');
    await answersAgain(product);
    await untilState('running', () => forwardRow(admin, 'wx'));
    await encoder.stop();
    await until('the stream has ended', async () => {
      const { streams } = await admin.call(endpoints.queryStreams, {});
      return streams.every(({ stream }) => stream !== 'source');
    });
    const before = sink.arrived[0]!.mediaCount;
    await until('a second more arrives', () => sink.arrived[0]!.mediaCount > before + 25);
    expect(sink.arrived).toHaveLength(1);
    expect((await admin.call(endpoints.forwardSecret, {}))?.wx).toMatchObject({ delaySeconds });
  } finally {
    await sink.close();
  }
});

it('continues on the same connection while the control plane is killed, and restarts after the media server was killed', async () => {
  const sink = await startRtmpSink();
  try {
    await publish();
    await forward('wx', `${sink.url}/live`, 'key');
    const media = (connection: number, count: number) =>
      until(
        `message ${count} of connection ${connection}`,
        async () => (sink.arrived[connection]?.mediaCount ?? 0) > count,
      );
    await media(0, 20);

    await product.kill('platform');
    await media(0, (sink.arrived[0]?.mediaCount ?? 0) + 50);
    await answersAgain(product);
    await untilState('running', () => forwardRow(admin, 'wx'));
    expect(sink.arrived).toHaveLength(1);

    await product.kill('gateway');
    await stopAllFfmpeg();
    await answersAgain(product);
    await publish();
    const publishedAt = performance.now();
    await media(1, 1);
    expect(performance.now() - publishedAt).toBeLessThan(backWithinMs);
    await media(1, 20);
    expect(sink.arrived).toHaveLength(2);
    expect(sink.arrived[1]).toMatchObject({ app: 'live', name: 'key' });
  } finally {
    await sink.close();
  }
});

it('a target that refuses affects only itself, and its reason is shown', async () => {
  const sink = await startRtmpSink();
  const closed = await freePort();
  try {
    await publish();
    await forward('forwarding-bad', `rtmp://127.0.0.1:${closed}/live`, 'a/b?c=d');
    await forward('forwarding-good', `${sink.url}/live`, 'key');
    await untilState('running', () => forwardRow(admin, 'forwarding-good'));
    const bad = await until('the other one reports its failure', async () => {
      const row = await forwardRow(admin, 'forwarding-bad');
      return row.reason === 'none' ? undefined : row;
    });
    expect(bad.state).not.toBe('running');
    expect(`${bad.reasonDetail}`).not.toContain('a/b?c=d');
    expect(await forwardRow(admin, 'forwarding-good')).toMatchObject({ state: 'running', restarts: 0 });
  } finally {
    await sink.close();
  }
});

it('with two gateways the target counts one connection, whichever of them has the publisher', async () => {
  const sink = await startRtmpSink();
  const ports = { ...(await portsToReturnTo()), SRT_LISTEN: String(await freePort()) };
  const other = await startProduct({ FORWARD_WITH: 'engine', GATEWAYS: '2', ...ports });
  try {
    const { publishQuery, call } = await setUp(other, 'two gateways password');
    const target = { platform: 'wx', server: `${sink.url}/live`, secret: 'key', enabled: true };
    await call(endpoints.forwardSecret, { action: 'update', ...target });
    const seen = new Set<number>();
    while (seen.size < 2) {
      const publisher = publishTestSource(other.rtmpUrl(`source?${publishQuery}`), { video: {}, audio: {} });
      await publisher.sending(20);
      const gateway = await until('the gateway of the publisher is known', async () => {
        const lists = await Promise.all([0, 1].map((number) => mediaServerClients(other, number)));
        const found = lists.findIndex((clients) => clients.some(({ type }) => type === 'fmle-publish'));
        return found < 0 ? undefined : { number: found };
      });
      seen.add(gateway.number);
      // The forward of the previous publisher disconnects from the target.
      const before = sink.arrived.at(-1)?.mediaCount ?? 0;
      await until('one connection carries media', async () => {
        const count = sink.arrived.at(-1)?.mediaCount ?? 0;
        return sink.open() === 1 && (count < before || count > before + 100);
      });
      expect(sink.open()).toBe(1);
      await publisher.stop('abruptly');
    }
  } finally {
    await other.remove();
    await sink.close();
  }
});
