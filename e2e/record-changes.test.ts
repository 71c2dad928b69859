// One publication creates one recording, whichever track starts first, and even if the video size or audio layout changes.
// The finished file decodes and plays through every change.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, type RecordRow, recordLinkPrefix } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodedSizes, decodeErrors, packetsOf, probe } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { lastSegmentOf, recordingsOf } from './support/record-rows.ts';
import { type TestSource, testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';
import { publishByWhip, scalePublished } from './support/webrtc.ts';

const microsecondsPerSecond = 1_000_000;

let product: Product;
let admin: Admin;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-record-changes-'));
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.applyRecord, { all: true });
  browser = await launchChromium();
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true });
});

const mp4Of = ({ uuid }: RecordRow) => join(product.dataDir, 'record', uuid, 'index.mp4');
const recorded = (stream: string, seconds: number) =>
  until(`${seconds} s of ${stream} are recorded`, async () => {
    const rows = await recordingsOf(admin, stream);
    return rows.reduce((sum, { duration }) => sum + duration, 0) >= seconds;
  });

/** Ends the recording of a stream whose publisher has just disconnected. Resolves with the row, which must be the only row. */
async function theOnly(stream: string): Promise<RecordRow> {
  await lastSegmentOf(product, admin, stream);
  const running = (await recordingsOf(admin, stream)).filter(({ progress }) => progress);
  for (const { uuid } of running) await admin.call(endpoints.endRecord, { uuid });
  const rows = await until(`all recordings of ${stream} are finished`, async () => {
    const found = await recordingsOf(admin, stream);
    return found.every(({ progress }) => !progress) ? found : undefined;
  });
  expect(rows.map(({ state }) => state)).toEqual(['done']);
  return rows[0]!;
}

/**
 * Checks that the file decodes completely and is as long as its row reports. @param apart maximum difference between
 * the duration in the row and the last timestamp of a track, seconds.
 */
async function expectWhole(row: RecordRow, apart = 0.5): Promise<void> {
  expect(await decodeErrors(mp4Of(row))).toBe('');
  const file = await probe(mp4Of(row));
  for (const kind of ['video', 'audio'] as const) {
    const times = packetsOf(file, kind).map(({ pts_time }) => Number(pts_time));
    expect(Math.abs(Math.max(...times) - row.duration), `${kind} of ${row.duration} s`).toBeLessThan(apart);
  }
}

/** Plays the file in the browser at double speed. Resolves with the displayed sizes, the last position, and how playback ended. */
async function playThrough({ uuid }: RecordRow): Promise<{ end: string; at: number; sizes: string[] }> {
  const { page } = await openPage(browser, 'en-US');
  await page.goto(product.url);
  const seen = await page.evaluate(async (url) => {
    const video = document.body.appendChild(document.createElement('video'));
    const sizes: string[] = [];
    video.addEventListener('resize', () => sizes.push(`${video.videoWidth}x${video.videoHeight}`));
    video.muted = true;
    video.src = url;
    video.playbackRate = 2;
    const end = new Promise<string>((resolve) => {
      video.addEventListener('ended', () => resolve('ended'));
      video.addEventListener('error', () => resolve(video.error?.message ?? 'error'));
    });
    await video.play();
    return { end: await end, at: video.currentTime, sizes };
  }, `${product.url}${recordLinkPrefix}${uuid}/index.mp4`);
  await page.context().close();
  return seen;
}

test.each([1, 2])('an SRT publisher gets one recording, time %i', async (time) => {
  const stream = `srt-${time}`;
  // A latency of one second: a busy machine may exceed the usual 120 ms, and late packets are lost.
  const address = `${product.srtUrl(`live/${stream}`, admin.publishQuery)}&latency=${microsecondsPerSecond}`;
  const publisher = runFfmpeg([...(await testSourceArguments({ video: {}, audio: {} })), '-f', 'mpegts', address]);
  await recorded(stream, 5);
  await publisher.stop();
  await expectWhole(await theOnly(stream));
});

test.each<[string, TestSource, TestSource, string[]]>([
  [
    'size',
    { video: { size: '640x360' }, audio: {} },
    { video: { size: '320x240' }, audio: {} },
    ['640x360', '320x240'],
  ],
  ['sound', { video: {}, audio: {} }, { video: {}, audio: { layout: 'mono', sampleRate: 44_100 } }, ['640x360']],
])(
  'an RTMP publisher that changes its %s gets one recording that plays through',
  async (what, first, second, sizes) => {
    const file = await makeTwoParts(first, second);
    const url = product.rtmpUrl(`${what}?${admin.publishQuery}`);
    await runFfmpeg(['-re', '-i', file, '-c', 'copy', '-f', 'flv', url]).exited;
    await recorded(what, 2 * secondsPerPart - 0.5);
    const row = await theOnly(what);
    await expectWhole(row);
    expect([...(await decodedSizes(mp4Of(row)))]).toEqual(sizes);
    const seen = await playThrough(row);
    expect(seen).toMatchObject({ end: 'ended', sizes });
    expect(seen.at).toBeGreaterThan(2 * secondsPerPart - 0.5);
  },
);

test('a browser that publishes in several sizes gets one recording that plays through', async () => {
  const { page } = await openPage(browser, 'en-US');
  await page.goto(product.url);
  const query = `app=live&stream=whip&${admin.publishQuery}`;
  expect(await publishByWhip(page, `${product.url}/rtc/v1/whip/?${query}`)).toBe(201);
  await recorded('whip', 4);
  await scalePublished(page, 2);
  await recorded('whip', 9);
  await scalePublished(page, 1);
  await recorded('whip', 13);
  await page.context().close();
  const row = await theOnly('whip');
  // When its page is closed, a browser on a busy machine may send one track longer than the other track.
  await expectWhole(row, 1);
  const sizes = await decodedSizes(mp4Of(row));
  expect(sizes.size).toBeGreaterThan(1);
  const seen = await playThrough(row);
  expect(seen.end).toBe('ended');
  expect(new Set(seen.sizes)).toEqual(sizes);
});

const secondsPerPart = 4;

/** Creates an FLV file from two sources: the tags of the second source follow the tags of the first. */
async function makeTwoParts(first: TestSource, second: TestSource): Promise<string> {
  const encode = async (source: TestSource, offsetSeconds: number) => {
    const path = join(folder, 'part.flv');
    const args = (await testSourceArguments(source)).filter((argument) => argument !== '-re');
    const shift = ['-t', String(secondsPerPart), '-output_ts_offset', String(offsetSeconds)];
    const run = runFfmpeg([...args, ...shift, '-f', 'flv', '-y', path]);
    expect(await run.exited, run.log()).toBe(0);
    return readFileSync(path);
  };
  const flvHeaderBytes = 13;
  const parts = [await encode(first, 0), (await encode(second, secondsPerPart)).subarray(flvHeaderBytes)];
  const joined = join(folder, 'two-parts.flv');
  writeFileSync(joined, Buffer.concat(parts));
  return joined;
}
