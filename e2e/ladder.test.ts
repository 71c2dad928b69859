// The ladder of renditions on a product with two gateways. The ladder starts on request and ends without viewers.
// FFmpeg and hls.js play it; hls.js switches renditions without gaps. A killed FFmpeg is restarted. The access rules of
// the stream apply to renditions, and clients cannot publish a rendition.
import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints, ladderConfig } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const run = promisify(execFile);
const hlsJs = join(fileURLToPath(new URL('../node_modules/', import.meta.url)), 'hls.js/dist/hls.min.js');
const steps = [
  { height: 240, fps: 0, kbps: 300 },
  { height: 144, fps: 13, kbps: 100 },
];

let product: Product;
let admin: Admin;
let browser: Browser;
let query: string;

beforeAll(async () => {
  product = await startProduct({ GATEWAYS: '2' });
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
  const key = await admin.call(endpoints.createWatchKey, {});
  await admin.call(endpoints.updateWatchRules, { rules: [{ pattern: 'live/lobby', mode: 'signed' }] });
  const expires = Math.floor(Date.now() / 1000) + 3_600;
  const signature = createHmac('sha256', key.secret).update(`watch\nlive/lobby\n${expires}\n\n`).digest('hex');
  query = `watch=${key.id}.${expires}.${signature}`;
  await admin.call(endpoints.applyLadder, {
    ...ladderConfig.parse({ enabled: true, steps, idleSeconds: 15, speed: 'ultrafast' }),
  });
  publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} });
  browser = await launchChromium();
});
afterAll(async () => {
  await stopAllFfmpeg();
  await browser?.close();
  await product?.remove();
});

const masterUrl = (gateway = 0) => `http://127.0.0.1:${product.portsOf(gateway).http}/live/lobby/master.m3u8?${query}`;
const tasks = async () => (await admin.call(endpoints.queryLadderTasks, {})).tasks;

async function renditions(gateway = 0): Promise<string[]> {
  return until('the playlist lists all renditions', async () => {
    const response = await fetch(masterUrl(gateway));
    const text = response.ok ? await response.text() : '';
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return lines.length === 4 ? lines.map((line) => new URL(line, masterUrl(gateway)).href) : undefined;
  });
}

async function segments(url: string): Promise<string[]> {
  return until(`segments of ${url}`, async () => {
    const response = await fetch(url);
    const lines = response.ok ? (await response.text()).split('\n').filter((line) => /\.ts/.test(line)) : [];
    return lines.length >= 3 ? lines.map((line) => new URL(line, url).href) : undefined;
  });
}

/** Times of the keyframes in all listed segments that still exist, seconds. */
async function keyframes(url: string): Promise<number[]> {
  const responses = await Promise.all((await segments(url)).map((segment) => fetch(segment)));
  const bodies = await Promise.all(responses.filter(({ ok }) => ok).map((response) => response.bytes()));
  const file = join(product.dataDir, `${randomUUID()}.mpegts`);
  await writeFile(file, Buffer.concat(bodies));
  const show = ['-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...show, file]);
  return stdout
    .split('\n')
    .filter((line) => line.includes('K'))
    .map((line) => Number(line.split(',')[0]));
}

/**
 * Waits until the segments of two renditions cover a common time range.
 * Resolves with the times of the keyframes of both renditions in this range, seconds.
 */
function sharedKeyframes(one: string, other: string): Promise<[number[], number[]]> {
  return until(`${one} and ${other} cover the same time`, async () => {
    const [a, b] = await Promise.all([keyframes(one), keyframes(other)]);
    const from = Math.max(a[0] ?? 0, b[0] ?? 0) - 0.01;
    const to = Math.min(a.at(-1) ?? 0, b.at(-1) ?? 0) + 0.01;
    const within = (times: number[]) => times.filter((time) => time >= from && time <= to);
    return within(a).length > 1 ? ([within(a), within(b)] as [number[], number[]]) : undefined;
  });
}

test('starts when the multivariant playlist is requested, which describes each rendition correctly', async () => {
  await until('the stream is live', async () => (await admin.call(endpoints.queryStreams, {})).streams.length > 0);
  expect(await tasks()).toEqual([]);
  await renditions();
  const text = await (await fetch(masterUrl())).text();
  const rows = text.split('\n').filter((line) => line.startsWith('#EXT-X-STREAM-INF'));
  expect(rows[0]).toMatch(/RESOLUTION=640x360,FRAME-RATE=25.000,CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/);
  expect(rows[1]).toMatch(/RESOLUTION=426x240,FRAME-RATE=25.000,CODECS="avc1/);
  expect(rows[2]).toMatch(/RESOLUTION=256x144,FRAME-RATE=12.500,CODECS="avc1/);
  expect(rows[3]).toMatch(/BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+,CODECS="mp4a\.40\.2"$/);
  const task = await until('FFmpeg reports its progress', async () =>
    (await tasks()).find(({ state }) => state === 'running'),
  );
  expect(task).toMatchObject({ url: 'live/lobby', leftOut: [] });
});

test('keyframes of all renditions have the same times, also at the other gateway', async () => {
  const [source, middle, small] = await renditions();
  for (const other of [middle!, small!, (await renditions(1))[1]!]) {
    const [ours, theirs] = await sharedKeyframes(source!, other);
    expect(theirs).toEqual(ours);
  }
});

test('FFmpeg plays it', async () => {
  const output = ['-map', '0:v:0', '-map', '0:a:0', '-t', '4', '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', ['-v', 'warning', '-stats', '-i', masterUrl(), ...output]);
  expect(Number(/frame=\s*(\d+)[^\r]*$/.exec(stderr)?.[1])).toBeGreaterThan(90);
});

test('playback authorization is that of the stream, and clients cannot publish a rendition', async () => {
  const bare = (url: string) => url.replace(/watch=[^&]*/, '');
  expect((await fetch(bare(masterUrl()))).status).toBe(401);
  for (const url of await renditions()) {
    const [segment] = await segments(url);
    expect([(await fetch(bare(url))).status, (await fetch(bare(segment!))).status]).toEqual([401, 401]);
    expect((await fetch(segment!)).status).toBe(200);
  }
  const intruder = runFfmpeg([
    '-f',
    'lavfi',
    '-i',
    'sine',
    '-f',
    'flv',
    product.rtmpUrl(`lobby~720p?${admin.publishQuery}`),
  ]);
  expect(await intruder.exited).not.toBe(0);
  const { refusals, streams } = await admin.call(endpoints.queryLive, {});
  expect(refusals).toContainEqual(expect.objectContaining({ stream: 'lobby~720p', action: 'publish' }));
  expect(streams.map(({ stream }) => stream)).toEqual(['lobby']);
  expect((await admin.call(endpoints.queryStreams, {})).streams).toHaveLength(1);
});

test('hls.js switches renditions on a slow network without a gap', async () => {
  const { page, errors } = await openPage(browser, 'en-US');
  const address = `${product.url}/tools/ladder-test.html`;
  await page.route(address, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><video muted autoplay></video>' }),
  );
  await page.goto(address);
  await page.addScriptTag({ path: hlsJs });
  await page.evaluate((url) => {
    const { Hls } = window as unknown as { Hls: new (config: object) => HlsPlayer };
    const player = new Hls({ startLevel: 2, abrEwmaDefaultEstimate: 5_000_000 });
    Object.assign(window, { seen: [], player });
    player.on('hlsLevelSwitched', (_event, { level }) => {
      (window as unknown as Seen).seen.push(player.levels[level]!.height);
    });
    player.loadSource(url);
    player.attachMedia(document.querySelector('video')!);
  }, masterUrl());
  const seen = () => page.evaluate(() => (window as unknown as Seen).seen);
  await until('the best rendition plays', async () => (await seen()).includes(360));
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  const slow = { offline: false, latency: 20, uploadThroughput: -1, downloadThroughput: 45_000 };
  await line.send('Network.emulateNetworkConditions', slow);
  await until('a smaller rendition plays', async () => (await seen()).at(-1)! < 360);
  const state = await page.evaluate(() => {
    const { buffered, currentTime } = document.querySelector('video')!;
    const ranges = Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)]);
    return { ranges, currentTime };
  });
  expect(state.ranges).toHaveLength(1);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a killed FFmpeg is restarted, with a continuous clock', async () => {
  const [before] = await tasks();
  const [source, middle] = await renditions();
  const last = (await keyframes(source!)).at(-1)!;
  process.kill(before!.pid, 'SIGKILL');
  await until('another one runs', async () => {
    const [task] = await tasks();
    return task?.state === 'running' && task.pid !== before!.pid && task.renditions.every(({ isLive }) => isLive);
  });
  await until('segments continue', async () => {
    const [ours, theirs] = await sharedKeyframes(source!, middle!);
    return ours.length > 1 && ours[0]! > last && JSON.stringify(ours) === JSON.stringify(theirs);
  });
});

test('ends without viewers', async () => {
  await until('nothing runs', async () => (await tasks()).length === 0);
});

interface HlsPlayer {
  readonly levels: { readonly height: number }[];
  on(event: string, listener: (event: string, data: { level: number }) => void): void;
  loadSource(url: string): void;
  attachMedia(video: HTMLVideoElement): void;
}

interface Seen {
  readonly seen: number[];
}
