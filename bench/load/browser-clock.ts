// Measures the latency between two browsers. The first browser draws the time into a video and publishes the video over WHIP.
// The second browser plays the video and reads the time. It plays over WHEP, or with the player of a page (`--page`).
//
//   node browser-clock.ts --whip 'http://127.0.0.1:28080/rtc/v1/whip/?…' --whep 'http://127.0.0.1:28080/rtc/v1/whep/?…' --time 20
//   node browser-clock.ts --whip … --page 'http://127.0.0.1:28080/tools/player.html?autostart=true&url=…' \
//     --playlist 'http://…/clock.ll.m3u8'
//
// The latency is the time from drawing a frame to its display, on one machine with one clock. With two browsers,
// neither main thread waits for the other thread. Prints WINDOW_START / WINDOW_END and "RESULT {json}".
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { printResult, printWindow } from '../lib/tool-output.ts';

const framesPerSecond = 30;
/** Time for the browser's jitter buffer and bandwidth estimate to settle, seconds. */
const settleSeconds = 5;
const maxSeconds = 600;
/** Timeout until the playlist exists, milliseconds. The playlist needs the first keyframes of a browser's encoder. */
const playlistTimeoutMs = 30_000;
const playlistPollMs = 200;
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const { values } = parseArgs({
  options: {
    whip: { type: 'string' },
    whep: { type: 'string' },
    page: { type: 'string' },
    playlist: { type: 'string' },
    time: { type: 'string', default: '20' },
  },
});
const { whip, whep, page: playerPage, playlist } = values;
if (!whip || !(whep || (playerPage && playlist))) {
  console.error(
    '--whip http://127.0.0.1:port/rtc/v1/whip/?… and --whep http://127.0.0.1:port/rtc/v1/whep/?…, or --page and --playlist',
  );
  process.exit(2);
}
for (const address of [whip, whep, playerPage, playlist]) if (address) loopbackUrl(address);

/** The page code needs DOM types, which this program does not have, so it is imported dynamically. */
const inBrowser = (file: string): string => new URL(`../browser/${file}`, import.meta.url).href;
const { clockLayout: layout, publishClock, readClock } = await import(inBrowser('frame-clock.ts'));
const { readVideoClock } = await import(inBrowser('hls-clock.ts'));

/** An empty page: browsers allow WebRTC in pages of any origin, and the servers allow all origins. */
const pages = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>clock</title><body></body>');
}).listen(0, '127.0.0.1');
const browsers: Browser[] = [];

async function openPage(): Promise<Page> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: flags });
  browsers.push(browser);
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  return page;
}

interface Result {
  readonly pictures: { drawnAt: number; latencyMs: number }[];
  /** Number of presented frames, if the browser reports it. */
  readonly presented?: number;
  readonly [figure: string]: unknown;
}

async function untilPlaylist(url: string): Promise<void> {
  const giveUpAt = performance.now() + playlistTimeoutMs;
  while (performance.now() < giveUpAt) {
    if ((await fetch(url)).ok) return;
    await delay(playlistPollMs);
  }
  throw new Error('no playlist');
}

async function play(viewer: Page, frames: number): Promise<Result> {
  if (!playerPage || !playlist) {
    return viewer.evaluate(readClock, { url: whep, layout, settleFrames: settleSeconds * framesPerSecond, frames });
  }
  await untilPlaylist(playlist);
  await viewer.goto(playerPage);
  return viewer.evaluate(readVideoClock, { layout, settleMs: settleSeconds * 1000, frames });
}

async function measure(): Promise<object> {
  const publisher = await openPage();
  const status = (await publisher.evaluate(publishClock, { url: whip, layout, framesPerSecond })) as number;
  if (status !== 201) throw new Error(`WHIP returned ${status}`);
  const viewer = await openPage();
  viewer.on('console', (message) => message.text() === 'reading' && printWindow('START'));
  const frames = Math.min(Number(values.time), maxSeconds) * framesPerSecond;
  const { pictures, presented, ...statistics } = await play(viewer, frames);
  printWindow('END');
  const readable = pictures.filter(({ drawnAt }) => drawnAt >= 0);
  return {
    shown: pictures.length,
    unreadable: pictures.length - readable.length,
    unreported: presented === undefined ? undefined : presented - pictures.length,
    latencyMs: quantiles(readable.map(({ latencyMs }) => latencyMs)),
    ...statistics,
  };
}

try {
  printResult(await measure());
} finally {
  await Promise.all(browsers.map((browser) => browser.close()));
  pages.close();
}
