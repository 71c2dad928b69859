// Rewinding a live stream: the rewind window in third-party players, clips, preview images of the seek bar, playback authorization.
// The window survives killed servers.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints, recordLinkPrefix } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, call, setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { clipOf } from './support/clips.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeFrames, packetsOf, probe } from './support/ffprobe.ts';
import { portsToReturnTo } from './support/free-port.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { finished } from './support/record-rows.ts';
import { until } from './support/until.ts';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const hlsFile = join(modules, 'hls.js/dist/hls.min.js');
/** The grey level of the test video changes every two seconds and so encodes the time. */
const graySeconds = 2;
const grays = 20;
const grayAt = (seconds: number) => 20 + 10 * (Math.floor(seconds / graySeconds) % grays);
const programme = () =>
  clipOf([
    ...[
      '-f',
      'lavfi',
      '-i',
      `color=black:s=160x90:r=25,geq=lum='20+10*mod(floor(T/${graySeconds})\\,${grays})':cb=128:cr=128`,
    ],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', String(grays * graySeconds)],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      String(25 * graySeconds),
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
    ],
  ]);

let product: Product;
let admin: Admin;
let browser: Browser;

beforeAll(async () => {
  product = await startProduct(await portsToReturnTo());
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.updateRewind, { minutes: 10, patterns: ['live/show', 'live/secret'] });
  // The encoder sends forty seconds of media faster than real time. Then it reconnects and continues in real time.
  const file = await programme();
  await runFfmpeg(['-i', file, '-c', 'copy', '-f', 'flv', publishUrl('show')]).exited;
  publishTestSource(publishUrl('show'), { video: {}, audio: {} });
  await until('media of the reconnected encoder is in the window', async () => (await windowOf('show')).breaks > 0);
});
afterAll(async () => {
  await stopAllFfmpeg();
  await browser?.close();
  await product?.remove();
});

const publishUrl = (stream: string) => product.rtmpUrl(`${stream}?${admin.publishQuery}`);
const rewindUrl = (stream: string) => `${product.url}/live/${stream}.rewind.m3u8`;

interface Listed {
  readonly url: string;
  readonly startMs: number;
  readonly seconds: number;
}

/** The media playlist of a viewer at this address. Follows redirects and multivariant playlists. */
async function playlistOf(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok || !text.includes('#EXT-X-STREAM-INF')) return text;
  return (await fetch(new URL(text.trim().split('\n').at(-1)!, url))).text();
}

function read(text: string, url: string): { segments: Listed[]; breaks: number; isEnded: boolean } {
  const pattern = /#EXT-X-PROGRAM-DATE-TIME:(.+)\n#EXTINF:([\d.]+),\n(.+)/g;
  const segments = [...text.matchAll(pattern)].map(([, date, seconds, uri]) => ({
    url: new URL(uri!, url).href,
    startMs: Date.parse(date!),
    seconds: Number(seconds),
  }));
  const breaks = text.match(/#EXT-X-DISCONTINUITY\n/g)?.length ?? 0;
  return { segments, breaks, isEnded: text.includes('#EXT-X-ENDLIST') };
}

async function windowOf(stream: string, query = ''): Promise<ReturnType<typeof read>> {
  const url = rewindUrl(stream) + query;
  return read(await playlistOf(url), url);
}

const iso = (ms: number) => new Date(ms).toISOString();
async function brightnessOf(url: string): Promise<number> {
  const raw = ['-vf', 'scale=1:1,format=gray', '-f', 'rawvideo', '-'];
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', url, '-frames:v', '1', ...raw], { encoding: 'buffer' });
  // Converts the range of image files (0 to 255) to the range of video (16 to 235).
  return (stdout[0]! * 219) / 255 + 16;
}

test('the window has all media and continues where the encoder reconnected', async () => {
  const { segments, breaks, isEnded } = await windowOf('show');
  expect([breaks, isEnded]).toEqual([1, false]);
  const programmeSeconds = segments.slice(0, grays).reduce((sum, { seconds }) => sum + seconds, 0);
  expect(programmeSeconds).toBeCloseTo(grays * graySeconds, 0);
  const starts = segments.map(({ startMs }) => startMs);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
});

test('while the stream is recorded the gateways know the start', async () => {
  const recorded = async () => {
    const text = await readFile(join(product.dataDir, 'config/rewind.json'), 'utf8');
    return (JSON.parse(text) as { recorded: { stream: string; sinceMs: number }[] }).recorded;
  };
  await admin.call(endpoints.updateStreamRecording, { app: 'live', stream: 'show', record: true });
  const [since] = await until('the recording is reported', async () =>
    (await recorded()).length > 0 ? recorded() : undefined,
  );
  expect(since).toMatchObject({ stream: 'show' });
  expect(since!.sinceMs).toBeLessThan(Date.now());
  await admin.call(endpoints.updateStreamRecording, { app: 'live', stream: 'show', record: false });
  await until('its end is reported', async () => (await recorded()).length === 0);
});

test('the watch page receives the rewind window', async () => {
  const info = await (await fetch(`${product.url}/watch/live/show/info.json`)).json();
  expect(info).toMatchObject({
    rewind: { playlist: '/live/show.rewind.m3u8', thumbnails: '/live/show.rewind.vtt', windowSeconds: 600 },
  });
  expect(await (await fetch(`${product.url}/watch/live/other/info.json`)).json()).not.toHaveProperty('rewind');
});

test('FFmpeg plays the whole window like a live stream', async () => {
  const begin = ['-live_start_index', '0', '-i', rewindUrl('show'), '-t', '44', '-map', '0:v', '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', ['-v', 'warning', '-stats', ...begin]);
  expect(Number(/frame=\s*(\d+)[^\r]*$/.exec(stderr)?.[1])).toBeGreaterThan(grays * graySeconds * 25);
});

describe('a range', () => {
  test('has exactly the frames of its segments, and is a finished playlist', async () => {
    const { segments } = await windowOf('show');
    const wanted = segments.slice(4, 8);
    const url = `${rewindUrl('show')}?from=${iso(wanted[0]!.startMs + 300)}&to=${iso(segments[8]!.startMs)}`;
    const piece = read(await playlistOf(url), url);
    const pathOf = (address: string) => new URL(address).pathname;
    expect(piece.segments.map((each) => pathOf(each.url))).toEqual(wanted.map((each) => pathOf(each.url)));
    expect(piece.isEnded).toBe(true);
    const whole = packetsOf(await probe(url), 'video').map(({ data_hash }) => data_hash);
    const parts: string[] = [];
    for (const each of wanted)
      parts.push(...packetsOf(await probe(each.url), 'video').map(({ data_hash }) => data_hash));
    expect(whole).toEqual(parts);
  });

  test('across the reconnect of the encoder contains a discontinuity', async () => {
    const { segments } = await windowOf('show');
    const seconds = (index: number) => segments[index]!.startMs / 1000;
    const url = `${rewindUrl('show')}?from=${seconds(grays - 2)}&to=${seconds(grays + 1)}`;
    expect(read(await playlistOf(url), url)).toMatchObject({ breaks: 1, isEnded: true });
  });

  test.each([
    ['from=yesterday', 400, 'moment-invalid'],
    ['from=2030-01-01T00:00:00Z&to=2029-01-01T00:00:00Z', 400, 'moment-invalid'],
    ['from=0&to=1', 404, 'moment-not-kept'],
    ['from=999999999999', 404, 'moment-not-kept'],
    [`from=${'9'.repeat(40)}`, 400, 'moment-invalid'],
  ])('%s: %i', async (query, status, name) => {
    const response = await fetch(`${rewindUrl('show')}?${query}`);
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ name })]);
  });
});

test('the images of the seek bar show their time', async () => {
  const { segments } = await windowOf('show');
  const text = await (await fetch(`${product.url}/live/show.rewind.vtt`)).text();
  const cues = [...text.matchAll(/^(\d\d):(\d\d):(\d\d\.\d{3}) --> .+\n(.+)$/gm)].map(
    ([, hours, minutes, seconds, uri]) => ({
      seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
      url: new URL(uri!, `${product.url}/live/`).href,
    }),
  );
  const ofProgramme = cues.filter(({ seconds }) => seconds < grays * graySeconds);
  expect(ofProgramme.length).toBeGreaterThanOrEqual(4);
  expect(segments.length).toBeGreaterThan(grays);
  for (const { seconds, url } of ofProgramme) {
    expect(Math.abs((await brightnessOf(url)) - grayAt(seconds + 0.1)), `at ${seconds} s`).toBeLessThan(5);
  }
  const missing = await fetch(`${product.url}/live/show.rewind-1700000000000.jpg`);
  expect(missing.status).toBe(404);
});

test('a clip has every frame of its range, reports its exact cut points, and is listed with its times', async () => {
  const { segments } = await windowOf('show');
  const range = {
    app: 'live',
    stream: 'show',
    from: iso(segments[5]!.startMs + 700),
    to: iso(segments[9]!.startMs - 200),
  };
  const { cut } = await admin.call(endpoints.queryRewindWindow, range);
  const clip = await admin.call(endpoints.createClip, range);
  expect(clip).toMatchObject({ from: iso(segments[5]!.startMs), seconds: 8 });
  expect(cut).toMatchObject({ from: clip.from, to: clip.to, seconds: clip.seconds });
  const row = await finished(admin, clip.uuid);
  expect(row).toMatchObject({
    state: 'done',
    begin: clip.from,
    clip: { from: clip.from, to: clip.to },
    stream: 'show',
  });
  const mp4 = join(product.dataDir, 'record', clip.uuid, 'index.mp4');
  const piece = await decodeFrames(`${rewindUrl('show')}?from=${range.from}&to=${range.to}`);
  const cutOut = await decodeFrames(mp4);
  expect(cutOut.errors).toBe('');
  expect(cutOut.hashes).toHaveLength(25 * 8);
  expect(cutOut.hashes).toEqual(piece.hashes);
  const download = await fetch(`${product.url}${recordLinkPrefix}${clip.uuid}/index.mp4`, { method: 'HEAD' });
  expect(download.status).toBe(200);
  await expect(call(product, endpoints.createClip, range), 'only with a login').rejects.toThrow(/401|403/);
  await expect(admin.call(endpoints.createClip, { ...range, app: '../..', stream: 'config' })).rejects.toThrow(
    /404|notFound/,
  );
  await expect(admin.call(endpoints.createClip, { ...range, from: range.to, to: range.from })).rejects.toThrow(
    /400|invalid/,
  );
});

test('hls.js seeks back in a live stream and returns to the live edge', async () => {
  browser ??= await launchChromium();
  const { page, errors } = await openPage(browser, 'en-US');
  const address = `${product.url}/tools/rewind-test.html`;
  const body = '<!doctype html><video muted autoplay playsinline></video>';
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  await page.addScriptTag({ path: hlsFile });
  await page.evaluate(playWithHls, rewindUrl('show'));
  await until('hls.js plays what is live', () => page.evaluate(isPlayingAfter, 40));
  await page.evaluate(seekTo, 12.5);
  const gray = () => page.evaluate(brightnessNow);
  const isThere = async () =>
    Math.abs((await gray()) - grayAt(12.5)) < 14 || Math.abs((await gray()) - grayAt(14.5)) < 14;
  await until('the frame of that time is shown', isThere);
  await page.evaluate(seekToLive);
  await until('hls.js plays what is live again', () => page.evaluate(isPlayingAfter, 40));
  await page.context().close();
  expect(errors).toEqual([]);
});

describe('a viewer without authorization', () => {
  test('gets neither playlist, range, segment nor image, and an expired link opens none of them', async () => {
    publishTestSource(publishUrl('secret'), { video: {}, audio: {} });
    const inWindow = await until('a segment is in the window', async () => (await windowOf('secret')).segments[0]);
    const picture = await until('there is an image', async () => {
      const text = await (await fetch(`${product.url}/live/secret.rewind.vtt`)).text();
      const name = /^.+\.jpg$/m.exec(text)?.[0];
      return name && (await fetch(`${product.url}/live/${name}`)).ok ? `${product.url}/live/${name}` : undefined;
    });
    const key = await admin.call(endpoints.createWatchKey, {});
    await admin.call(endpoints.updateWatchRules, { rules: [{ pattern: 'live/secret', mode: 'signed' }] });
    const segment = inWindow.url.replace(/\?.*/, '');
    const piece = `${rewindUrl('secret')}?from=0`;
    const all = [rewindUrl('secret'), piece, `${product.url}/live/secret.rewind.vtt`, segment, picture];
    const statuses = async (query: string) => {
      const withQuery = (url: string) => (query === '' ? url : url + (url.includes('?') ? '&' : '?') + query);
      return Promise.all(all.map(async (url) => (await fetch(withQuery(url))).status));
    };
    await until('the rule applies', async () => (await statuses('')).every((status) => status === 401));
    expect(await statuses(`watch=${key.id}.4000000000.${'0'.repeat(64)}`)).toEqual([403, 403, 403, 403, 403]);
    const { query } = await admin.call(endpoints.createWatchLink, { pattern: 'live/secret', seconds: 600 });
    expect(await statuses(query)).toEqual([200, 200, 200, 200, 200]);
    const opened = await windowOf('secret', `?${query}`);
    expect((await fetch(opened.segments[0]!.url)).status, 'segments in the playlist are authorized').toBe(200);
    expect(await statuses(signed(key, 'live/secret', -1))).toEqual([401, 401, 401, 401, 401]);
    const { watchQuery, thumbnails } = await admin.call(endpoints.queryRewindWindow, { app: 'live', stream: 'secret' });
    expect((await fetch(`${product.url}${thumbnails}?${watchQuery}`)).status).toBe(200);
  });

  test('thousands of requests for ranges and five hundred unread responses do not affect live viewers', async () => {
    const { segments } = await windowOf('show');
    const halfOpen = Array.from({ length: 500 }, () => {
      const socket = connect(product.ports.http, '127.0.0.1');
      socket.on('error', () => undefined).pause();
      socket.write(`GET ${new URL(segments[0]!.url).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return socket;
    });
    const ask = (number: number) =>
      fetch(`${rewindUrl('show')}?hls_ctx=one&from=${segments[0]!.startMs / 1000 + number / 1000}`).then((response) =>
        response.arrayBuffer(),
      );
    for (let number = 0; number < 2_000; number += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => ask(number + index)));
    }
    const { segments: after } = await windowOf('show');
    expect(after.length).toBeGreaterThanOrEqual(segments.length);
    for (const socket of halfOpen) socket.destroy();
  });
});

describe('killed', () => {
  test('the control plane: the window keeps growing', async () => {
    const before = (await windowOf('show')).segments.length;
    await product.kill('platform');
    await until('there are more segments', async () => (await windowOf('show')).segments.length > before + 1);
    await answersAgain(product);
  });

  test('the gateway: the window is available immediately, and continues when the encoder returns', async () => {
    const before = await windowOf('show');
    await product.kill('gateway');
    await answersAgain(product);
    const left = await until('the window is there', async () => {
      const found = await windowOf('show').catch(() => undefined);
      return found && found.segments.length > 0 ? found : undefined;
    });
    expect(left.segments.map(({ url }) => fileOf(url))).toEqual(
      expect.arrayContaining(before.segments.map(({ url }) => fileOf(url))),
    );
    publishTestSource(publishUrl('show'), { video: {}, audio: {} });
    const after = await until('the window continues', async () => {
      const found = await windowOf('show');
      return found.segments.length > left.segments.length ? found : undefined;
    });
    expect(after.breaks).toBe(before.breaks + 1);
    expect(fileOf(after.segments[0]!.url)).toBe(fileOf(before.segments[0]!.url));
  });
});

test('when switched off, nothing is kept', async () => {
  await admin.call(endpoints.updateRewind, { minutes: 0 });
  await until('the window is gone', async () => (await fetch(rewindUrl('show'))).status === 404);
  await until('its files are gone', async () => (await admin.call(endpoints.queryRewind, {})).usedBytes === 0);
});

const fileOf = (url: string) => new URL(url).pathname;

/** Signs a link as programs of operators do (docs/how-to/sign-links.md). */
function signed({ id, secret }: { id: string; secret: string }, pattern: string, seconds: number): string {
  const expires = Math.floor(Date.now() / 1000) + seconds;
  const signature = createHmac('sha256', secret).update(`watch\n${pattern}\n${expires}\n\n`).digest('hex');
  return `watch=${id}.${expires}.${signature}`;
}

interface Hls {
  loadSource(url: string): void;
  attachMedia(video: HTMLVideoElement): void;
  readonly liveSyncPosition: number | null;
}

function playWithHls(url: string): void {
  const { Hls } = window as unknown as { Hls: new () => Hls };
  const hls = new Hls();
  hls.loadSource(url);
  hls.attachMedia(document.querySelector('video')!);
  (window as unknown as { hls: Hls }).hls = hls;
}

function isPlayingAfter(seconds: number): boolean {
  const video = document.querySelector('video')!;
  return !video.paused && video.readyState >= 3 && video.currentTime > seconds;
}

function seekTo(seconds: number): void {
  document.querySelector('video')!.currentTime = seconds;
}

function seekToLive(): void {
  const { hls } = window as unknown as { hls: Hls };
  document.querySelector('video')!.currentTime = hls.liveSyncPosition!;
}

/** Brightness in the middle of the frame, in the video range. */
function brightnessNow(): number {
  const video = document.querySelector('video')!;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1, 1];
  const context = canvas.getContext('2d')!;
  context.drawImage(video, 0, 0, 1, 1);
  return (context.getImageData(0, 0, 1, 1).data[0]! * 219) / 255 + 16;
}
