// Renditions in third-party players, in HLS and low-latency HLS: valid playlists, hls.js on a network of varying bandwidth.
// Shaka Player plays selected renditions. FFmpeg, mpv and GStreamer play every kind of playlist. A viewer that switches counts once.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints, ladderConfig } from '@srs-stack/contract';
import {
  playlistViolations,
  type RulePlaylist,
  readPlaylist,
  renditionViolations,
} from '@srs-stack/media/testing/low-latency-rules.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { publishHevc, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { openHlsViewer, openPlayerPage } from './support/hls-viewer.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const run = promisify(execFile);
const shakaFile = fileURLToPath(new URL('../node_modules/shaka-player/dist/shaka-player.compiled.js', import.meta.url));
const steps = [
  { height: 240, fps: 0, kbps: 300 },
  { height: 144, fps: 13, kbps: 100 },
];
/** Bandwidth, bytes per second: half of the source's bitrate, and more than the bitrate of the next rendition. */
const slowLine = 45_000;
/** Number of checked playlists per rendition. The media grows by several segments meanwhile. */
const reloads = 24;
const playSeconds = 4;

let product: Product;
let admin: Admin;
let browser: Browser;

beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
  await admin.call(endpoints.updateRewind, { minutes: 5, patterns: ['live/lobby'] });
  await admin.call(endpoints.applyLadder, {
    ...ladderConfig.parse({ enabled: true, streams: ['live/lobby'], steps, idleSeconds: 600, speed: 'ultrafast' }),
  });
  publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} });
  publishHevc(product.srtUrl('live/hevc', admin.publishQuery));
  browser = await launchChromium();
  await until('all renditions are there', async () => (await playlistsOf(masters.plain)).length === 4);
  const urls = await playlistsOf(masters['low latency']);
  // Shaka Player needs more than three segments to start.
  for (const url of urls) await until('there are some segments', async () => (await load(url)).segments.length > 3);
});
afterAll(async () => {
  await stopAllFfmpeg();
  await browser?.close();
  await product?.remove();
});

const masters = { plain: 'lobby/master.m3u8', 'low latency': 'lobby/master.ll.m3u8' } as const;
const urlOf = (playlist: string) => `${product.url}/live/${playlist}`;

async function playlistsOf(master: string): Promise<string[]> {
  const response = await fetch(urlOf(master));
  const text = await response.text();
  if (!response.ok) return [];
  const named = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return named.map((line) => new URL(line, urlOf(master)).href);
}

async function load(url: string): Promise<RulePlaylist> {
  const response = await fetch(url);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.stringContaining('#EXTM3U')]);
  return readPlaylist(text);
}

test('low-latency playlists of renditions stay valid over their reloads', async () => {
  const urls = await until('the playlist lists all', async () => {
    const found = await playlistsOf(masters['low latency']);
    return found.length === 4 ? found : undefined;
  });
  const nameOf = (url: string) => new URL(url).pathname.split('/').at(-1)!;
  let before = new Map<string, RulePlaylist>();
  for (let reload = 0; reload < reloads; reload++) {
    const next = (url: string) => {
      const last = before.get(nameOf(url))?.segments.at(-1);
      if (!last) return url;
      return `${url}&_HLS_msn=${last.uri === undefined ? last.sequence : last.sequence + 1}&_HLS_part=${last.uri === undefined ? last.parts.length : 0}`;
    };
    const now = new Map(await Promise.all(urls.map(async (url) => [nameOf(url), await load(next(url))] as const)));
    expect(renditionViolations(now)).toEqual([]);
    for (const [name, playlist] of now) expect(playlistViolations(playlist, before.get(name)), name).toEqual([]);
    before = now;
  }
  const [first, second] = urls;
  expect(before.get(nameOf(first!))!.reports.map(({ uri }) => new URL(uri, first).href)).toContain(second);
});

async function viewers(): Promise<number> {
  const { tasks } = await admin.call(endpoints.queryLadderTasks, {});
  return tasks.flatMap(({ renditions }) => renditions).reduce((sum, rendition) => sum + rendition.viewers, 0);
}

describe.each(Object.entries(masters))('%s', (kind, master) => {
  const isLowLatency = kind !== 'plain';

  test('hls.js on a network of varying bandwidth switches down and up without a gap, as one viewer', async () => {
    const viewer = await openHlsViewer(browser, { origin: product.url, playlist: urlOf(master), isLowLatency });
    const lastShown = async () => (await viewer.state()).shown.at(-1) ?? 0;
    await until('the best rendition plays', async () => (await lastShown()) === 360);
    await until('earlier viewers have disconnected', async () => (await viewers()) === 1);
    const expectWhole = async () => {
      const { buffered, frames, complaints } = await viewer.state();
      expect(buffered).toHaveLength(1);
      expect(complaints.filter((name) => /Hole|NudgeOnStall|AppendError|levelParsing|fragParsing/.test(name))).toEqual(
        [],
      );
      await until('frames are drawn', async () => (await viewer.state()).frames > frames + 20);
      expect(await viewers()).toBe(1);
    };
    await expectWhole();
    await viewer.limit(slowLine);
    await until('a smaller rendition plays', async () => (await lastShown()) < 360);
    await expectWhole();
    await viewer.limit(0);
    await until('the best rendition plays again', async () => (await lastShown()) === 360);
    await expectWhole();
    await viewer.close();
    await until('nobody watches', async () => (await viewers()) === 0);
  });

  test(`Shaka Player changes between them${isLowLatency ? ' and plays on' : ' without a gap'}`, async () => {
    const page = await openPlayerPage(browser, product.url, shakaFile);
    expect(await page.evaluate(playWithShaka, { playlist: urlOf(master), isLowLatency })).toBe('');
    for (const height of [144, 360, 240]) {
      await page.evaluate(chooseWithShaka, height);
      await until(`${height} rows are shown`, async () => (await page.evaluate(shakaState)).height === height);
      const { ranges, seconds } = await page.evaluate(shakaState);
      // Low-latency playback may have gaps: Shaka Player jumps to the next segment when known parts have left the
      // playlist (RFC 8216bis §4.4.4.9).
      if (!isLowLatency) expect(ranges).toHaveLength(1);
      await until('it continues to play', async () => (await page.evaluate(shakaState)).seconds > seconds + 1);
    }
    await page.context().close();
  });

  test('FFmpeg', async () => {
    const output = ['-map', '0:v:0', '-map', '0:a:0', '-t', String(playSeconds), '-f', 'null', '-'];
    const { stderr } = await run('ffmpeg', ['-v', 'warning', '-stats', '-i', urlOf(master), ...output]);
    expect(Number(/frame=\s*(\d+)[^\r]*$/.exec(stderr)?.[1])).toBeGreaterThan(playSeconds * 24);
  });
});

const has = (program: string) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/${program}`));
const addresses = {
  ...masters,
  'a rewind playlist': 'lobby.rewind.m3u8',
  'HEVC in low-latency HLS': 'hevc.ll.m3u8',
} as const;

describe.each(Object.entries(addresses))('third-party programs play %s', (_name, playlist) => {
  beforeAll(async () => {
    await until(`${playlist} is there`, async () => (await fetch(urlOf(playlist))).ok);
  });

  test('FFmpeg', async () => {
    const output = ['-map', '0:v:0', '-t', String(playSeconds), '-f', 'null', '-'];
    const { stderr } = await run('ffmpeg', ['-v', 'error', '-stats', '-i', urlOf(playlist), ...output]);
    expect(Number(/frame=\s*(\d+)[^\r]*$/.exec(stderr)?.[1])).toBeGreaterThan(playSeconds * 20);
  });

  test.skipIf(!has('mpv'))('mpv', async () => {
    const quiet = ['--no-config', '--vo=null', '--ao=null', '--msg-level=all=warn'];
    const { stdout, stderr } = await run('mpv', [...quiet, `--frames=${playSeconds * 25}`, urlOf(playlist)]);
    // Harmless message: on a busy machine FFmpeg may find its connection closed, and then retries.
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => !line.includes('Failed to reload playlist'));
    expect(lines.filter((line) => /error|failed/i.test(line))).toEqual([]);
  });

  test.skipIf(!has('gst-launch-1.0'))('GStreamer', async () => {
    const decode = ['uridecodebin3', `uri=${urlOf(playlist)}`, '!', 'videoconvert'];
    const frames = ['!', 'fakesink', `num-buffers=${playSeconds * 25}`, 'sync=false'];
    const { stderr } = await run('gst-launch-1.0', ['-q', ...decode, ...frames]);
    expect(stderr).not.toMatch(/ERROR/);
  });
});

interface ShakaTrack {
  readonly height: number | null;
}

interface ShakaPlayer {
  attach(video: HTMLVideoElement): Promise<void>;
  configure(config: object): void;
  load(address: string): Promise<void>;
  getVariantTracks(): ShakaTrack[];
  selectVariantTrack(track: ShakaTrack, clearBuffer: boolean): void;
}

/** Runs in the browser. Resolves with the error message. */
async function playWithShaka({ playlist, isLowLatency }: { playlist: string; isLowLatency: boolean }): Promise<string> {
  const { shaka } = window as unknown as { shaka: { Player: new () => ShakaPlayer } };
  const player = new shaka.Player();
  Object.assign(window, { player });
  await player.attach(document.querySelector('video')!);
  player.configure({ abr: { enabled: false }, streaming: { lowLatencyMode: isLowLatency } });
  return player.load(playlist).then(
    () => '',
    (error: unknown) => JSON.stringify(error),
  );
}

function chooseWithShaka(height: number): void {
  const { player } = window as unknown as { player: ShakaPlayer };
  player.selectVariantTrack(player.getVariantTracks().find((track) => track.height === height)!, false);
}

/** Runs in the browser. Returns the height of the current frame, the playback position, and the buffered ranges in seconds. */
function shakaState(): { height: number; seconds: number; ranges: number[][] } {
  const { videoHeight: height, currentTime: seconds, buffered } = document.querySelector('video')!;
  const ranges = Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)]);
  return { height, seconds, ranges };
}
