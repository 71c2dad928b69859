// Browser to browser: one page publishes a picture with its own time by WHIP, another plays it by WHEP and reads the time.
//
//   node browser-clock.ts --whip 'http://127.0.0.1:28080/rtc/v1/whip/?…' --whep 'http://127.0.0.1:28080/rtc/v1/whep/?…' --time 20
//
// Latency: from drawing the picture to the moment the browser shows it, one machine and one clock. Two browsers, so that
// neither's main thread waits for the other. Prints WINDOW_START / WINDOW_END and "RESULT {json}".
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { sayResult, sayWindow } from '../lib/tool-output.ts';

const framesPerSecond = 30;
/** The browser's jitter buffer and bandwidth estimate need some seconds to settle. */
const settleSeconds = 5;
const maxSeconds = 300;
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const { values } = parseArgs({
  options: { whip: { type: 'string' }, whep: { type: 'string' }, time: { type: 'string', default: '20' } },
});
if (!values.whip || !values.whep) {
  console.error('--whip http://127.0.0.1:port/rtc/v1/whip/?… --whep http://127.0.0.1:port/rtc/v1/whep/?…');
  process.exit(2);
}
const { whip, whep } = values;
loopbackUrl(whip);
loopbackUrl(whep);

/** Code of pages has types of its own (DOM), which this program does not; hence no static import. */
const inBrowser = new URL('../browser/picture-clock.ts', import.meta.url).href;
const { clockLayout: layout, publishClock, readClock } = await import(inBrowser);

/** An empty page of this machine: browsers give WebRTC to pages of any origin, and the servers allow all origins. */
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
  readonly presented: number;
  readonly jitterBufferMs: number;
  readonly decodeMs: number;
  readonly width: number;
  readonly kbps: number;
}

async function measure(): Promise<object> {
  const publisher = await openPage();
  const status = (await publisher.evaluate(publishClock, { url: whip, layout, framesPerSecond })) as number;
  if (status !== 201) throw new Error(`WHIP answered ${status}`);
  const viewer = await openPage();
  viewer.on('console', (message) => message.text() === 'reading' && sayWindow('START'));
  const frames = Math.min(Number(values.time), maxSeconds) * framesPerSecond;
  const reading = { url: whep, layout, settleFrames: settleSeconds * framesPerSecond, frames };
  const { pictures, presented, ...times } = (await viewer.evaluate(readClock, reading)) as Result;
  sayWindow('END');
  const readable = pictures.filter(({ drawnAt }) => drawnAt >= 0);
  return {
    shown: pictures.length,
    unreadable: pictures.length - readable.length,
    unreported: presented - pictures.length,
    latencyMs: quantiles(readable.map(({ latencyMs }) => latencyMs)),
    ...times,
  };
}

try {
  sayResult(await measure());
} finally {
  await Promise.all(browsers.map((browser) => browser.close()));
  pages.close();
}
