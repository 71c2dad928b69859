// MEDIA_SERVER=srs with a released SRS, configured as in docs/how-to/use-srs-as-media-server.md.
// The environment variable SRS names its program. Without the variable, the tests are skipped.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, type RecordRow } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors, packetsOf, probe } from './support/ffprobe.ts';
import { freePort } from './support/free-port.ts';
import { type Product, startProduct } from './support/product.ts';
import type { TestSource } from './support/test-source.ts';
import { until } from './support/until.ts';

const program = process.env.SRS;
let folder: string;
let srs: ChildProcess;
let product: Product;
let admin: Admin;

function configuration(ports: Record<'http' | 'api' | 'files' | 'rtmp' | 'srt' | 'rtc', number>): string {
  const text = readFileSync(new URL('../docs/how-to/use-srs-as-media-server.md', import.meta.url), 'utf8');
  const block = /^ {3}http_api [\s\S]*?^ {3}\}$/m.exec(text)?.[0] ?? '';
  const documented = block
    .replaceAll(':2022', `:${ports.http}`)
    .replaceAll(':1985', `:${ports.api}`)
    .replaceAll(':8080', `:${ports.files}`)
    .replace('listen 10080;', `listen ${ports.srt};`)
    .replace('listen 8000; candidate *;', `listen ${ports.rtc}; candidate 127.0.0.1;`)
    .replaceAll('/path/to/data', join(folder, 'product'));
  return [
    `listen 127.0.0.1:${ports.rtmp};`,
    'daemon off; srs_log_tank file; heartbeat { enabled off; }',
    `srs_log_file ${folder}/srs.log; pid ${folder}/srs.pid;`,
    documented,
  ].join('\n');
}

const publish = (
  stream: string,
  source: TestSource = { video: {}, audio: {} },
  query = admin.publishQuery,
): FfmpegRun => publishTestSource(product.rtmpUrl(`${stream}?${query}`), source);
const rowOf = async (stream: string) =>
  (await admin.call(endpoints.queryLive, {})).streams.find((row) => row.stream === stream);
const isLive = (stream: string) => until(`${stream} is live`, () => rowOf(stream));
const recordingOf = async (stream: string) =>
  (await admin.call(endpoints.queryRecordFiles, {})).find((row) => row.stream === stream);
const recorded = (stream: string, seconds: number) =>
  until(`${seconds} s of ${stream} are recorded`, async () => {
    const row = await recordingOf(stream).catch(() => undefined);
    return row && row.duration >= seconds ? row : undefined;
  });
const finish = async ({ uuid }: RecordRow) => {
  await admin.call(endpoints.endRecord, { uuid });
  const row = await until('the recording is finished', async () => {
    const rows = await admin.call(endpoints.queryRecordFiles, { search: uuid });
    return rows.find(({ progress }) => !progress);
  });
  return { row, file: join(product.dataDir, 'record', uuid, 'index.mp4') };
};

describe.skipIf(program === undefined)('a released SRS (its path in SRS)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'srs-stack-released-'));
    const [http, api, files, rtmp, srt, rtc] = await Promise.all(Array.from({ length: 6 }, freePort));
    const ports = { http: http!, api: api!, files: files!, rtmp: rtmp!, srt: srt!, rtc: rtc! };
    mkdirSync(join(folder, 'product/hls/live'), { recursive: true });
    product = await startProduct({
      DATA_DIR: join(folder, 'product'),
      MGMT_LISTEN: String(ports.http),
      MEDIA_SERVER: 'srs',
      SRS_API_SERVER: `127.0.0.1:${ports.api}`,
      SRS_HTTP_SERVER: `127.0.0.1:${ports.files}`,
      RTMP_PORT: String(ports.rtmp),
      RTC_PORT: String(ports.rtc),
      SRT_PORT: String(ports.srt),
      HLS_PATH: join(folder, 'product/hls'),
    });
    admin = await setUp(product, 'a long first password');
    await admin.call(endpoints.applyRecord, { all: true });
    writeFileSync(join(folder, 'srs.conf'), configuration(ports));
    srs = spawn(program ?? '', ['-c', join(folder, 'srs.conf')], { cwd: folder, stdio: 'ignore' });
    const isUp = async () => (await admin.call(endpoints.queryComponents, {})).mediaServer.isUp;
    await until('the SRS responds', isUp);
  });
  afterEach(stopAllFfmpeg);
  afterAll(async () => {
    await product?.stop();
    const ended = srs && once(srs, 'exit');
    srs?.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  test("streams play with the publisher's timestamps", async () => {
    const startedMs = performance.now();
    publish('lobby');
    await isLive('lobby');
    await runFfmpeg(['-i', `${product.url}/live/lobby.flv`, '-c', 'copy', '-f', 'null', '-']).sending(25);
    await until('the playlist is there', async () => (await fetch(`${product.url}/live/lobby.m3u8`)).ok);
    const uptimeMs = await until('its time is known', async () => (await rowOf('lobby'))?.uptimeMs);
    expect(uptimeMs).toBeLessThan(performance.now() - startedMs + 1_000);
  });

  test('an unpublished stream gets 404 immediately', async () => {
    expect((await fetch(`${product.url}/live/nobody.flv`)).status).toBe(404);
    expect((await fetch(`${product.url}/live/nobody.m3u8`)).status).toBe(404);
  });

  test('after HLS was switched off and on, a live stream has HLS again when its encoder reconnects, as the console describes', async () => {
    const segments = () =>
      readdirSync(join(folder, 'product/hls/live')).filter((name) => /^switched-\d.*\.ts$/.test(name));
    const first = publish('switched');
    await until('there are segments', () => segments().length > 0);
    await admin.call(endpoints.updateComponent, { name: 'hls', enabled: false });
    await until('HLS is off', async () => !(await fetch(`${product.url}/live/switched.m3u8`)).ok);
    await admin.call(endpoints.updateComponent, { name: 'hls', enabled: true });
    const { vhost, app } = (await isLive('switched'))!;
    await admin.call(endpoints.kickStream, { vhost, app, stream: 'switched' });
    await first.exited;
    const before = new Set(segments());
    publish('switched');
    await until('there are new segments', () => segments().some((name) => !before.has(name)));
    expect((await fetch(`${product.url}/live/switched.m3u8`)).status).toBe(200);
  });

  test('refused clients are listed', async () => {
    expect(await publish('thief', { audio: {} }, 'secret=wrong').exited).not.toBe(0);
    const { refusals } = await admin.call(endpoints.queryLive, {});
    expect(refusals[0]).toMatchObject({ stream: 'thief', reason: 'publish-secret-wrong', action: 'publish' });
  });

  test('a WHIP publisher is refused without the secret and admitted with it', async () => {
    const call = (stream: string, query: string) =>
      fetch(`${product.url}/rtc/v1/whip/?app=live&stream=${stream}&${query}`, { method: 'POST', body: offer });
    expect((await call('whip-thief', 'secret=wrong')).status).toBe(403);
    expect((await call('whip', admin.publishQuery)).status).toBe(201);
  });

  test('with keyframes six seconds apart, a segment contains whole GOPs', async () => {
    publish('sparse', { video: { gopSeconds: 6 }, audio: {} });
    const row = await recorded('sparse', 17);
    await stopAllFfmpeg();
    const { file } = await finish(row);
    const playlist = await (await fetch(`${product.url}/live/sparse.m3u8`)).text();
    const lengths = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
    expect(Math.min(...lengths.slice(1, -1))).toBeGreaterThan(5);
    expect(await decodeErrors(file)).toBe('');
  });

  test('segments announced while the control plane was down are recorded anyway', async () => {
    publish('steady');
    const { uuid } = await recorded('steady', 4);
    for (let times = 0; times < 6; times++) {
      // Retries until the process can be killed: between two starts of the control plane there is no process.
      await until('the control plane is killed', () =>
        product.kill('platform').then(
          () => true,
          () => false,
        ),
      );
    }
    const row = await recorded('steady', 22);
    expect(row.uuid).toBe(uuid);
    await stopAllFfmpeg();
    const done = await finish(row);
    const times = packetsOf(await probe(done.file), 'video').map(({ pts_time }) => Number(pts_time));
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(Math.max(...gaps)).toBeLessThan(0.2);
    expect(Math.abs(times.at(-1)! - done.row.duration)).toBeLessThan(0.5);
    expect(await decodeErrors(done.file)).toBe('');
  });

  test('two publications are one recording, with the configured duration', async () => {
    for (const seconds of [5, 11]) {
      publish('returning');
      await recorded('returning', seconds);
      await stopAllFfmpeg();
      await until('it has ended', async () => (await rowOf('returning')) === undefined);
    }
    const { row, file } = await finish((await recordingOf('returning'))!);
    const times = packetsOf(await probe(file), 'video').map(({ pts_time }) => Number(pts_time));
    expect(Math.abs(Math.max(...times) - row.duration)).toBeLessThan(0.5);
    expect(await decodeErrors(file)).toBe('');
  });
});

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const offer = [
  ...['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0'],
  ...['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 0.0.0.0', 'a=rtcp:9 IN IP4 0.0.0.0'],
  ...['a=ice-ufrag:abcd', 'a=ice-pwd:abcdefghijklmnopqrstuvwx', `a=fingerprint:sha-256 ${fingerprint}`],
  ...['a=setup:actpass', 'a=mid:0', 'a=sendonly', 'a=rtcp-mux', 'a=rtpmap:111 opus/48000/2', 'a=ssrc:1234 cname:x', ''],
].join('\r\n');
