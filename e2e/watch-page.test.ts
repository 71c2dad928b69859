// The page for viewers, in Chromium: it plays the quickest way that works, changes the way by itself, asks for the password, and stands in
// pages of other sites.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@srs-stack/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchBrowser } from './support/browser.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const password = 'open sesame 123';

let product: Product;
let admin: Admin;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.updateWatchRules, {
    rules: [
      { pattern: 'live/locked', mode: 'password', password },
      { pattern: 'live/signed', mode: 'signed' },
    ],
  });
  for (const name of ['open', 'locked', 'signed'])
    publishTestSource(product.rtmpUrl(`${name}?${admin.publishQuery}`), { video: { gopSeconds: 1 }, audio: {} });
  await until('the stream is live', async () => (await fetch(`${product.url}/live/open.m3u8`)).ok);
});
afterAll(async () => {
  await browser?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

async function open(path: string, { locale = 'en', before = '' } = {}): Promise<Page> {
  context = await browser.newContext({ locale });
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  await page.goto(product.url + path);
  return page;
}

const isPlaying = (page: Page) => page.waitForFunction(() => document.body.dataset.live === 'true');

test('plays an open stream at once, the quickest way', async () => {
  const page = await open('/watch/live/open');
  await isPlaying(page);
  expect(await page.title()).toBe('open');
  expect(await page.locator('.way option').first().textContent()).toContain('WebRTC');
  await context.close();
});

test.each([
  ['without WebRTC', 'delete window.RTCPeerConnection', 'HTTP-FLV'],
  ['without WebRTC and media sources but for HLS', 'delete window.RTCPeerConnection; HTMLMediaElement.prototype.broken = 1', 'HTTP-FLV'],
])('%s it plays another way', async (_case, before, way) => {
  const page = await open('/watch/live/open', { before });
  await isPlaying(page);
  expect(await page.locator('.way option').first().textContent()).toContain(way);
  await context.close();
});
