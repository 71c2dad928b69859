// A backup source: another stream replaces the media of a disconnected encoder. If both are disconnected, the slate starts.
// An RTMP target and viewers over HTTP-FLV, RTSP and SRT stay connected and decode everything.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { answersAgain, mediaServerClients, type Product, startProduct } from './support/product.ts';
import { startRtmpSink } from './support/rtmp-sink.ts';
import type { TestSource } from './support/test-source.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-backup-'));
  product = await startProduct({ FORWARD_WITH: 'engine' });
  admin = await setUp(product, 'backup password');
});
afterAll(async () => {
  await stopAllFfmpeg();
  await product?.remove();
  rmSync(folder, { recursive: true });
});

const publish = async (name: string, source: TestSource = { video: {}, audio: {} }) => {
  const encoder = publishTestSource(product.rtmpUrl(`${name}?${admin.publishQuery}`), source);
  await encoder.sending(20);
  return encoder;
};
const viewers = {
  flv: () => ['-i', `${product.url}/live/main.flv`],
  rtsp: () => ['-rtsp_transport', 'tcp', '-i', `rtsp://127.0.0.1:${product.ports.rtsp}/live/main`],
  srt: () => ['-i', `srt://127.0.0.1:${product.ports.srt}?mode=caller&streamid=#!::r=live/main,m=request`],
};
const names = Object.keys(viewers) as (keyof typeof viewers)[];
const listOf = (name: string) => join(folder, `${name}.frames`);
const decode = (name: keyof typeof viewers) =>
  runFfmpeg([
    ...['-xerror', '-err_detect', 'explode', ...viewers[name](), '-map', '0', '-f', 'null', '-'],
    ...['-map', '0:v', '-map', '0:a', '-c', 'copy', '-flush_packets', '1', '-f', 'framecrc', listOf(name)],
  ]);

/** Warning of FFmpeg's RTSP demuxer, which sets no decode time for the first packets of a stream with B-frames. */
const unsetTimestamps = /^\[framecrc .*Timestamps are unset in a packet.*\n/gm;

/** Decode times of one track in order of arrival, in units of the time base of FFmpeg's packet list. */
function timesOf(name: string, stream: number): number[] {
  const lines = readFileSync(listOf(name), 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith(`${stream},`)).map((line) => Number(line.split(',')[1]));
}

const live = async () => (await admin.call(endpoints.queryLive, {})).streams.find(({ stream }) => stream === 'main');
const onBackup = () => until('the backup is on the air', async () => ((await live())?.backupForMs ?? 0) > 2_000);
const onSlate = () => until('the slate is on the air', async () => ((await live())?.slateForMs ?? 0) > 1_000);
const onMain = () =>
  until('the source is on the air', async () => {
    const row = await live();
    return row && row.backupForMs === undefined && row.slateForMs === undefined;
  });
const playerIds = async () =>
  (await mediaServerClients(product)).filter(({ type }) => !type.includes('publish')).map(({ id }) => id);

test('primary, backup and slate follow each other on one clock, and no client is disconnected', async () => {
  const backups = [{ stream: 'live/main', backup: 'live/spare' }];
  await admin.call(endpoints.updateSlates, { enabled: true, patterns: ['live/main'], afterSeconds: 1, backups });
  let main = await publish('main');
  let spare = await publish('spare', { video: { size: '320x180', gopSeconds: 2 }, audio: {} });
  await until('the slate is ready', async () => {
    const { streams } = await admin.call(endpoints.querySlates, {});
    return streams.find(({ stream }) => stream === 'main')?.state === 'ready';
  });
  const sink = await startRtmpSink();
  const target = { platform: 'wx', server: `${sink.url}/live`, secret: 'key', stream: 'main', custom: true };
  await admin.call(endpoints.forwardSecret, { ...target, action: 'update', enabled: true });
  const runs = names.map(decode);
  await Promise.all(runs.map((run) => run.sending(20)));
  await until('the target gets media', () => (sink.arrived[0]?.mediaCount ?? 0) > 20);
  const before = (await playerIds()).sort();
  expect(before).toHaveLength(names.length);

  await main.stop('abruptly');
  await onBackup();
  expect((await admin.call(endpoints.querySlates, {})).backupsOnAir).toMatchObject([{ stream: 'live/main' }]);
  // The backup stays on air while the control plane restarts.
  await product.kill('platform');
  await answersAgain(product);
  await onBackup();
  main = await publish('main');
  await onMain();
  await main.stop('gracefully');
  await onBackup();
  await spare.stop('abruptly');
  await onSlate();
  spare = await publish('spare');
  await onBackup();
  await publish('main');
  await onMain();

  const seen = sink.arrived[0]!.mediaCount;
  await until('the target gets media still', () => sink.arrived[0]!.mediaCount > seen + 50);
  expect(sink.arrived).toHaveLength(1);
  expect((await playerIds()).sort()).toEqual(before);
  expect(runs.map((run) => run.log().replace(unsetTimestamps, ''))).toEqual(names.map(() => ''));
  await Promise.all(runs.map((run) => run.stop()));
  for (const name of names) {
    for (const stream of [0, 1]) {
      const times = timesOf(name, stream);
      expect(times.length).toBeGreaterThan(250);
      expect(times.filter((time, index) => index > 0 && time < times[index - 1]!)).toEqual([]);
    }
  }
  await sink.close();
}, 300_000);
