// A main and a spare encoder publish one stream name over RTMP and SRT. Viewers and a target stay connected and decode
// everything while the main encoder disconnects and returns. The operator's service, recordings and lists show one
// broadcast.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CallbackTarget, startCallbackTarget } from '../packages/platform/src/testing/callback-target.ts';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { startRtmpSink } from './support/rtmp-sink.ts';
import type { TestSource } from './support/test-source.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let target: CallbackTarget;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-spare-'));
  product = await startProduct({ FORWARD_WITH: 'engine' });
  admin = await setUp(product, 'spare password');
  target = await startCallbackTarget();
  await admin.call(endpoints.applyHooks, { all: true, target: target.url, opaque: '' });
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await product?.remove();
  await target?.close();
  rmSync(folder, { recursive: true });
});

const withSound: TestSource = { video: {}, audio: {} };
const rtmp = (name: string, query = '') => product.rtmpUrl(`${name}?${admin.publishQuery}${query}`);
const srt = (name: string, priority: number) =>
  product.srtUrl(`live/${name}`, `${admin.publishQuery},priority=${priority}`);
const publish = async (url: string, source = withSound) => {
  const encoder = publishTestSource(url, source);
  await encoder.sending(20);
  return encoder;
};
const live = async (name: string) =>
  (await admin.call(endpoints.queryLive, {})).streams.find(({ stream }) => stream === name);
const spareIs = (name: string, isOnAir: boolean) =>
  until(`the spare encoder of ${name} is ${isOnAir ? '' : 'not '}on the air`, async () => {
    const row = await live(name);
    return row?.spares?.[0]?.isOnAir === isOnAir ? row : undefined;
  });
const isSeen = (name: string) =>
  until(`${name} is live`, async () => {
    const row = await live(name);
    return row?.hasMedia ? row : undefined;
  });
const hooks = (name: string) =>
  target.received.map(({ body }) => body).filter(({ stream }) => stream === name) as Record<string, unknown>[];

const viewers = {
  flv: (name: string) => ['-i', `${product.url}/live/${name}.flv`],
  rtsp: (name: string) => ['-rtsp_transport', 'tcp', '-i', `rtsp://127.0.0.1:${product.ports.rtsp}/live/${name}`],
};
const kinds = Object.keys(viewers) as (keyof typeof viewers)[];
const listOf = (kind: string, name: string) => join(folder, `${name}.${kind}.frames`);
const decode = (kind: keyof typeof viewers, name: string) =>
  runFfmpeg([
    ...['-xerror', '-err_detect', 'explode', ...viewers[kind](name), '-map', '0', '-f', 'null', '-'],
    ...['-map', '0:v', '-map', '0:a', '-c', 'copy', '-flush_packets', '1', '-f', 'framecrc', listOf(kind, name)],
  ]);
/** Warning of FFmpeg's RTSP demuxer, which sets no decode time for the first packets of a stream with B-frames. */
const unsetTimestamps = /^\[framecrc .*Timestamps are unset in a packet.*\n/gm;

/** Decode times of one track in order of arrival, in units of the time base of FFmpeg's packet list. */
function timesOf(kind: string, track: number): number[] {
  const lines = readFileSync(listOf(kind, 'show'), 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith(`${track},`)).map((line) => Number(line.split(',')[1]));
}

test('the spare encoder takes over until the main one returns, on one clock, and no client is disconnected', async () => {
  let main = await publish(rtmp('show'));
  await publish(srt('show', 2), { video: { size: '320x180', gopSeconds: 2 }, audio: {} });
  await spareIs('show', false);
  const sink = await startRtmpSink();
  const forward = { platform: 'wx', server: `${sink.url}/live`, secret: 'key', stream: 'show', custom: true };
  await admin.call(endpoints.forwardSecret, { ...forward, action: 'update', enabled: true });
  const runs = kinds.map((kind) => decode(kind, 'show'));
  await Promise.all(runs.map((run) => run.sending(20)));
  await until('the target gets media', () => (sink.arrived[0]?.mediaCount ?? 0) > 20);

  for (const how of ['abruptly', 'gracefully'] as const) {
    await main.stop(how);
    const row = await spareIs('show', true);
    expect(row).toMatchObject({ viewers: kinds.length });
    const seen = sink.arrived[0]!.mediaCount;
    await until('the target gets the spare encoder', () => sink.arrived[0]!.mediaCount > seen + 50);
    main = await publish(rtmp('show'));
    await spareIs('show', false);
    await until('the main encoder is seen', async () => (await live('show'))?.backupForMs === undefined);
  }
  const seen = sink.arrived[0]!.mediaCount;
  await until('the target gets media still', () => sink.arrived[0]!.mediaCount > seen + 50);
  expect(sink.arrived).toHaveLength(1);
  expect(runs.map((run) => run.log().replace(unsetTimestamps, ''))).toEqual(kinds.map(() => ''));
  await Promise.all(runs.map((run) => run.stop()));
  for (const kind of kinds) {
    for (const track of [0, 1]) {
      const times = timesOf(kind, track);
      expect(times.length).toBeGreaterThan(150);
      expect(times.filter((time, index) => index > 0 && time < times[index - 1]!)).toEqual([]);
    }
  }
  await sink.close();
  expect((await admin.call(endpoints.queryStreams, {})).streams.map(({ stream }) => stream)).toEqual(['show']);
  const admissions = hooks('show').filter(({ action }) => action === 'on_publish');
  expect(admissions.map(({ priority }) => priority)).toEqual([undefined, 2, undefined, undefined]);
  const { clients } = await admin.call(endpoints.queryLiveClients, { streamId: (await live('show'))!.id });
  const publishers = clients.filter(({ isPublisher }) => isPublisher);
  expect(publishers.map(({ protocol, priority }) => [protocol, priority]).sort()).toEqual([
    ['rtmp', undefined],
    ['srt', 2],
  ]);
  await admin.call(endpoints.kickLiveClient, { id: publishers.find(({ priority }) => priority)!.id });
  await until('the spare encoder is gone', async () => (await live('show'))?.spares === undefined);
  expect((await live('show'))?.hasMedia).toBe(true);
}, 240_000);

test('a stream begins with its spare encoder, and ends when both are gone', async () => {
  const spare = await publish(rtmp('alone', '&priority=2'));
  const row = await isSeen('alone');
  expect(row.spares).toEqual([{ priority: 2, isOnAir: true }]);
  const viewer = decode('flv', 'alone');
  await viewer.sending(20);
  const main = await publish(rtmp('alone'));
  await spareIs('alone', false);
  await until('the main encoder is seen', async () => (await live('alone'))?.backupForMs === undefined);
  await viewer.sending(100);
  expect(viewer.log()).toBe('');
  await viewer.stop();
  await spare.stop();
  await until('the spare encoder is gone', async () => (await live('alone'))?.spares === undefined);
  await main.stop();
  await until('the stream has ended', async () => (await live('alone')) === undefined);
  await until('its end is reported', () => hooks('alone').length === 4);
  // The spare encoder starts the stream. The service authorizes the main encoder before the takeover.
  expect(hooks('alone').map(({ action }) => action)).toEqual([
    ...['on_publish', 'on_publish', 'on_unpublish', 'on_unpublish'],
  ]);
}, 120_000);

test('refuses a wrong secret, a second encoder with the same priority, and a second main encoder', async () => {
  await publish(rtmp('strict'));
  await publish(rtmp('strict', '&priority=2'));
  const refused = async (url: string) => {
    const encoder = publishTestSource(url, withSound);
    expect(await encoder.exited).not.toBe(0);
    return encoder.log();
  };
  expect(await refused(product.rtmpUrl('strict?secret=wrong&priority=3'))).toContain('publish-secret-wrong');
  expect(await refused(rtmp('strict', '&priority=2'))).toContain('stream-busy');
  expect(await refused(rtmp('strict', '&priority=abc'))).toContain('stream-busy');
  const types = (await mediaServerClients(product)).filter(({ name }) => name === 'strict');
  expect(types).toHaveLength(2);
}, 120_000);

test('a revoked stream key disconnects the spare encoder that used it, and no other', async () => {
  await publish(rtmp('keyed'));
  const key = await admin.call(endpoints.createStreamKey, { name: 'spare', pattern: 'live/keyed', expiresAt: null });
  await publish(product.rtmpUrl(`keyed?secret=${key.secret}&priority=2`));
  await spareIs('keyed', false);
  await admin.call(endpoints.revokeStreamKey, { id: key.id });
  await until('the spare encoder is gone', async () => (await live('keyed'))?.spares === undefined);
  expect((await live('keyed'))?.hasMedia).toBe(true);
}, 120_000);
