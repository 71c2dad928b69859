// WebRTC and SRT for an operator and a viewer: the publisher page with Chromium's fake camera, the player page, the console.
// FFmpeg publishes over SRT with the address copied from the console.
import { networkInterfaces } from 'node:os';
import { endpoints, storageKeys } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clockLayout, publishClock, readClock } from '../bench/browser/frame-clock.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let browser: Browser;
let publisher: Page;
let viewer: Page;
const errors: string[] = [];

const whip = (stream: string, query = admin.publishQuery) =>
  `${product.url}/players/whip.html?stream=${stream}&autostart=true&${query}`;
const whep = (stream: string) => `${product.url}/players/whep.html?stream=${stream}`;
const atState = (page: Page, state: string) => page.waitForSelector(`[data-state="${state}"]`);
const liveStreams = async () => (await admin.call(endpoints.queryLive, {})).streams;
/** Leaves the page, so that it uses no CPU time during later tests. */
const leave = (page: Page) => page.goto('about:blank');
const isPublished = async (stream: string) => (await liveStreams()).some((row) => row.stream === stream);

beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
  browser = await launchChromium();
  for (const open of [(page: Page) => (publisher = page), (page: Page) => (viewer = page)]) {
    const opened = await openPage(browser, 'en-US');
    open(opened.page);
    opened.page.on('pageerror', (error) => errors.push(error.message));
  }
});
afterEach(() => expect(errors.splice(0)).toEqual([]));
afterAll(async () => {
  await stopAllFfmpeg();
  await browser?.close();
  await product?.remove();
});

test('every displayed frame contains its drawing time, in the order of drawing', async () => {
  const address = (action: string) => `${product.url}/rtc/v1/${action}/?app=live&stream=clock&${admin.publishQuery}`;
  const source = { url: address('whip'), layout: clockLayout, framesPerSecond: 25 };
  const { page: clock } = await openPage(browser, 'en-US');
  for (const page of [clock, viewer]) await page.goto(`${product.url}/tools/player.html`);
  expect(await clock.evaluate(publishClock, source)).toBe(201);
  const reading = { url: address('whep'), layout: clockLayout, settleFrames: 5, frames: 40 };
  const { pictures } = await viewer.evaluate(readClock, reading);
  const drawn = await clock.evaluate(() => (window as unknown as { drawnTimes: number[] }).drawnTimes);
  await clock.close();
  await leave(viewer);
  const readable = pictures.filter(({ drawnAt }) => drawnAt >= 0);
  const places = readable.map(({ drawnAt }) => drawn.indexOf(drawnAt));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(new Set(places).size).toBeGreaterThan(20);
});

describe('the publisher page', () => {
  test('goes live automatically on request, with its statistics', async () => {
    await publisher.goto(whip('cam'));
    await atState(publisher, 'live');
    const statistics = publisher.getByLabel('Publishing statistics');
    // A browser starts with a smaller frame size than requested and increases it within seconds.
    await statistics.getByText(/H\.264.*\d{3,4}×\d{3}/).waitFor();
    await statistics.getByText('Opus').waitFor();
    await statistics.getByText(/^\d+ kbps$/).waitFor();
    await until('the audio moves the meter', async () => Number(await meterValue()) > 0);
  });

  test('lists its devices and switches them without an interruption', async () => {
    const camera = publisher.getByRole('combobox', { name: 'Camera' });
    await until('the cameras have names', async () => /fake/i.test(await camera.innerText()));
    await publisher.getByRole('combobox', { name: 'Resolution' }).selectOption('360p');
    await publisher
      .getByLabel('Publishing statistics')
      .getByText(/640×360/)
      .waitFor();
    expect(await publisher.locator('.publisher-page').getAttribute('data-state')).toBe('live');
  });

  const meterValue = () => publisher.getByRole('meter').getAttribute('aria-valuenow');
});

describe('the player page', () => {
  test('shows the moving video, its statistics and a measured latency', async () => {
    await viewer.goto(whep('cam'));
    await movingTestVideo(viewer);
    const facts = viewer.getByLabel('Playback details');
    await facts.getByText('Opus').waitFor();
    await facts
      .getByText(/^\d+(\.\d)? ms$/)
      .first()
      .waitFor();
    await viewer
      .locator('.badge.latency')
      .getByText(/^Network \+ jitter buffer \d+ ms$/)
      .waitFor();
  });

  test('plays with audio after one click', async () => {
    await viewer.getByRole('button', { name: 'Unmute' }).click();
    expect(await viewer.evaluate(() => document.querySelector('video')!.muted)).toBe(false);
    await movingTestVideo(viewer);
  });

  test('opens by its older name, by a webrtc:// address, and inside a page of another site', async () => {
    await viewer.goto(`${product.url}/players/rtc_player.html?url=webrtc://127.0.0.1:${product.ports.http}/live/cam`);
    await movingTestVideo(viewer);
    await viewer.setContent(`<iframe src="${whep('cam')}" width="640" height="360"></iframe>`);
    const frame = await (await viewer.waitForSelector('iframe')).contentFrame();
    await movingTestVideo(frame!);
  });

  test('plays over HTTP-FLV what was published over WebRTC', async () => {
    await viewer.goto(`${product.url}/tools/player.html?url=${product.url}/live/cam.flv`);
    await movingTestVideo(viewer);
    await leave(viewer);
  });
});

describe('the console', () => {
  let consolePage: Page;

  beforeAll(async () => {
    const opened = await openPage(browser, 'en-US');
    consolePage = opened.page;
    consolePage.on('pageerror', (error) => errors.push(error.message));
    await consolePage.addInitScript(
      ([token, session, name]) => {
        localStorage.setItem(token!, session!);
        localStorage.setItem(name!, localStorage.getItem(name!) ?? 'cam');
      },
      [storageKeys.token, JSON.stringify(admin.session), storageKeys.streamName],
    );
  });

  afterAll(() => consolePage.close());

  const openLive = (query = '') => consolePage.goto(`${product.url}/mgmt/en/routers-scenario?tab=live${query}`);
  const card = () => consolePage.getByRole('region', { name: 'Live status' });

  test('compares FLV with WebRTC in the live card and shows the publishing protocol', async () => {
    await openLive('&allow-lo-rtc=true');
    await movingTestVideo(consolePage);
    await card().locator('label', { hasText: 'WebRTC' }).click();
    await card()
      .locator('.badge.latency')
      .getByText(/^Network \+ jitter buffer \d+ ms$/)
      .waitFor();
    await movingTestVideo(consolePage);
    expect(await card().innerText()).toMatch(/Publisher\s+127\.0\.0\.1 · WebRTC/);
    expect(await card().innerText()).toMatch(/Connection\s+.*lost \d+/);
  });

  test('advises against localhost, and opens the publisher page if the operator insists', async () => {
    await openLive();
    await consolePage.getByRole('button', { name: /^Browser over WebRTC/ }).click();
    const panel = consolePage.getByRole('region', { name: /^Browser over WebRTC/ });
    await panel.getByText('WebRTC may not work on localhost').waitFor();
    await panel.getByRole('button', { name: 'Use localhost anyway' }).click();
    const link = panel.getByRole('link', { name: 'Open the publisher page' });
    const href = await link.evaluate((anchor: HTMLAnchorElement) => anchor.href);
    expect(href).toContain(`/players/whip.html?schema=https&port=${product.ports.http}`);
    const farewell = publisher.waitForRequest((request) => request.method() === 'DELETE');
    await publisher.getByRole('button', { name: 'Stop' }).click();
    expect((await (await farewell).response())?.status()).toBe(200);
    await until('the stream has ended', async () => !(await isPublished('cam')));
    await publisher.goto(href);
    await atState(publisher, 'live');
    await leave(publisher);
  });

  test('shows what FFmpeg sends over SRT to the shown address, with the network statistics', async () => {
    await openLive();
    await consolePage.getByRole('button', { name: 'New stream name' }).first().click();
    await consolePage.getByRole('button', { name: /^OBS over SRT/ }).click();
    const panel = consolePage.getByRole('region', { name: /^OBS over SRT/ });
    await panel.getByRole('button', { name: 'Copy Server' }).click();
    const address = await consolePage.evaluate(() => navigator.clipboard.readText());
    expect(address).toMatch(
      new RegExp(`^srt://127\\.0\\.0\\.1:${product.ports.srt}\\?streamid=#!::r=live/\\w{6}\\?secret=`),
    );
    const source = await testSourceArguments({ video: {}, audio: {} });
    const encoder = runFfmpeg([...source, '-pes_payload_size', '0', '-f', 'mpegts', address]);
    await Promise.race([
      movingTestVideo(consolePage),
      encoder.exited.then(() => Promise.reject(new Error(encoder.log()))),
    ]);
    await until('the card shows the connection', async () => /Connection\s+RTT \d/.test(await card().innerText()));
    expect(await card().innerText()).toMatch(/Publisher\s+127\.0\.0\.1 · SRT/);
    await encoder.stop();
  });
});

describe('errors are shown', () => {
  const message = (text: string) => viewer.getByRole('alert').getByText(text).waitFor();

  test('a wrong secret', async () => {
    await viewer.goto(whip('other', 'secret=wrong'));
    await message('Wrong publish secret');
    expect(await isPublished('other')).toBe(false);
  });

  test('a stream that another client publishes', async () => {
    await viewer.goto(whip('livestream'));
    await publisher.goto(whip('taken'));
    await atState(publisher, 'live');
    await viewer.goto(whip('taken'));
    await message('Another client publishes this stream');
    await publisher.getByLabel('Publishing statistics').getByText('Opus').waitFor();
  });

  test('a page without encryption, with the remedy', async () => {
    const ip = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (ip === undefined) return;
    await viewer.goto(whip('cam').replace('127.0.0.1', ip));
    await message('HTTPS is required');
    expect(await viewer.getByRole('button', { name: 'Go live' }).isDisabled()).toBe(true);
  });

  test('a stream with only audio, which plays anyway, and its video once there is one', async () => {
    await publisher.goto(whip('sound').replace('autostart=true', ''));
    await publisher.getByRole('radio', { name: 'Audio only' }).check();
    await publisher.getByRole('button', { name: 'Go live' }).click();
    await atState(publisher, 'live');
    await viewer.goto(whep('sound'));
    await atState(viewer, 'playing');
    await viewer.getByLabel('Playback details').getByText('Opus').waitFor();
    await publisher.getByRole('radio', { name: 'Camera' }).check();
    await movingTestVideo(viewer);
  });

  test('a stream that is not live yet, which then starts automatically', async () => {
    await viewer.goto(whep('later'));
    await viewer.getByText('Not live yet').waitFor();
    await viewer.getByText(/^Next try in \d+ s$/).waitFor();
    await publisher.goto(whip('later'));
    await movingTestVideo(viewer);
  });

  test('leaving the publisher page ends the stream', async () => {
    await publisher.goto('about:blank');
    await until('the stream has ended', async () => !(await isPublished('later')));
  });
});
