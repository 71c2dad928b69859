// Local recording while gateway, control plane, both, or FFmpeg are killed with SIGKILL at seeded random times.
// All received media is recorded. The recording continues when the encoder returns, and its MP4 has every frame of its segments.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints, type RecordRow } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors, packetsOf, probe } from './support/ffprobe.ts';
import { portsToReturnTo } from './support/free-port.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { lastSegmentOf } from './support/record-rows.ts';
import { seeded } from './support/seeded.ts';
import { until } from './support/until.ts';

const seed = 20_261_121;
/** Maximum random delay before a kill, milliseconds: the duration of a segment. */
const maxKillDelayMs = 2_000;

let product: Product;
let admin: Admin;
beforeAll(async () => {
  // The gateway must restart on unchanged ports, because encoders reconnect to them.
  product = await startProduct(await portsToReturnTo());
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.applyRecord, { all: true });
});
afterEach(stopAllFfmpeg);
afterAll(() => product?.remove());

const random = seeded(seed);

const publish = (stream: string) =>
  publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: {}, audio: {} });
/** The list is empty while a server restarts, because calls fail. */
const rowsOf = async (stream: string): Promise<RecordRow[]> =>
  (await admin.call(endpoints.queryRecordFiles, {}).catch(() => [])).filter((row) => row.stream === stream);
const recorded = (stream: string, segments: number) =>
  until(`${segments} segments of ${stream} are recorded`, async () =>
    (await rowsOf(stream)).find(({ nn }) => nn >= segments),
  );
async function openBytes(stream: string): Promise<number> {
  const folder = join(product.dataDir, 'hls', 'live');
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${stream}-`) && name.endsWith('.ts.tmp'));
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function segmentsOnDisk(stream: string): Promise<string[]> {
  const names = await readdir(join(product.dataDir, 'hls', 'live')).catch(() => []);
  return names.filter((name) => name.startsWith(`${stream}-`) && /-\d{13}\.ts$/.test(name));
}

/** Ends the recording. FFmpeg then creates the MP4. The first `ffmpegKills` FFmpeg processes are killed as soon as they run. */
async function finish(uuid: string, ffmpegKills = 0): Promise<RecordRow> {
  await until('the recording is ended', () =>
    admin.call(endpoints.endRecord, { uuid }).then(
      () => true,
      async () => (await rowsOfUuid(uuid))?.state !== 'recording',
    ),
  );
  let kills = 0;
  return until('the recording is finished', async () => {
    const pid = kills < ffmpegKills ? await ffmpegOf(uuid) : undefined;
    if (pid) {
      process.kill(pid, 'SIGKILL');
      kills += 1;
    }
    const row = await rowsOfUuid(uuid);
    return row && !row.progress ? row : undefined;
  });
}
const rowsOfUuid = async (uuid: string) =>
  (await admin.call(endpoints.queryRecordFiles, { search: uuid }).catch(() => []))[0];

async function ffmpegOf(uuid: string): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith('ffmpeg') && command.includes(`${uuid}/index.mp4`)) return Number(pid);
  }
  return undefined;
}

/** Checks that the MP4 decodes and contains every frame of every segment. */
async function expectWhole(row: RecordRow, what: string): Promise<void> {
  expect(row, what).toMatchObject({ state: 'done', problem: '' });
  const folder = join(product.dataDir, 'record', row.uuid);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  expect(names.length, what).toBe(row.nn);
  let frames = 0;
  for (const name of names) frames += packetsOf(await probe(join(folder, name)), 'video').length;
  expect(packetsOf(await probe(join(folder, 'index.mp4')), 'video').length, what).toBe(frames);
  expect(await decodeErrors(join(folder, 'index.mp4')), what).toBe('');
}

const victims = {
  platform: () => product.kill('platform'),
  gateway: () => product.kill('gateway'),
  both: async () => {
    await Promise.all([product.kill('platform'), product.kill('gateway')]);
  },
};

const rounds = ['both', 'platform', 'gateway', 'gateway', 'both', 'platform'] as const;

test.each(rounds)('%s killed: what had reached the server is recorded, the open segment too', async (victim) => {
  const stream = `kill-${victim}-${Math.floor(random() * 1e6)}`;
  const publisher = publish(stream);
  const { uuid } = await recorded(stream, 1);
  await delay(random() * maxKillDelayMs);
  const isOpen = (await openBytes(stream)) > 0;
  const closed = await segmentsOnDisk(stream);
  await victims[victim]();
  await answersAgain(product);
  if (victim === 'platform') await recorded(stream, closed.length + 1);
  else await publisher.exited;
  await publisher.stop();

  const again = publish(stream);
  await recorded(stream, closed.length + 1);
  await again.stop();
  await lastSegmentOf(product, admin, stream);
  const [row, ...others] = await rowsOf(stream);
  expect(others, 'it is one recording').toEqual([]);
  expect(row?.uuid).toBe(uuid);
  const done = await finish(uuid);
  // The recording has the closed segments, the open segment, and at least one segment after the encoder's return.
  expect(done.nn).toBeGreaterThanOrEqual(closed.length + (isOpen ? 2 : 1));
  await expectWhole(done, `${victim} killed`);
});

test('FFmpeg killed while it makes the MP4: it is made again', async () => {
  const publisher = publish('kill-ffmpeg');
  const { uuid } = await recorded('kill-ffmpeg', 3);
  const done = await finish(uuid, 2);
  await publisher.stop();
  await expectWhole(done, 'FFmpeg killed');
});
