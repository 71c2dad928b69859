// The page for viewers, in Chromium: it plays the quickest way that works, changes the way by itself, asks for the password, and stands in
// pages of other sites.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { accessibilityProblems, axeSource } from './gallery/accessibility.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingPicture, openPage } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const password = 'open sesame 123';

let product: Product;
let admin: Admin;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), launchChromium()]);
  admin = await setUp(product, 'a long first password');
  const rules = [
    { pattern: 'live/locked', mode: 'password' as const, password },
    { pattern: 'live/signed', mode: 'signed' as const },
  ];
  await admin.call(endpoints.updateWatchRules, { rules });
  for (const name of ['open', 'locked'])
    publishTestSource(product.rtmpUrl(`${name}?${admin.publishQuery}`), { video: { gopSeconds: 1 }, audio: {} });
  await until('the stream is live', async () => (await fetch(`${product.url}/live/open.m3u8`)).ok);
});
afterAll(async () => {
  await browser?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

async function visit(address: string, { locale = 'en-US' as 'zh-CN' | 'en-US', before = '' } = {}): Promise<Page> {
  const { page, errors } = await openPage(browser, locale);
  onTestFinished(async () => {
    await page.context().close();
    expect(errors).toEqual([]);
  });
  if (before) await page.addInitScript(before);
  await page.goto(address.startsWith('http') ? address : product.url + address);
  return page;
}

const wayOf = (page: Page) => page.locator('.way option').first().textContent();
const stateOf = (page: Page, state: string) => page.waitForSelector(`[data-state="${state}"]`);
const noWebrtc = 'delete window.RTCPeerConnection;';
/** Media sources refuse what comes frame by frame: mpegts.js gives up, HLS by the browser's own segments goes on. */
const brokenWebrtc = `window.RTCPeerConnection = class { constructor() { throw new Error('switched off'); } };`;

test('plays an open stream at once, the quickest way, and reads well in both themes', async () => {
  const page = await visit('/watch/live/open');
  await movingPicture(page);
  expect(await wayOf(page)).toBe('Automatic (WebRTC)');
  expect(await page.title()).toBe('open');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axeSource);
    expect(await accessibilityProblems(page, colorScheme)).toEqual([]);
  }
  await page.getByRole('combobox', { name: 'Playback' }).selectOption('HLS');
  await movingPicture(page);
});

test.each([
  ['does not know WebRTC', noWebrtc],
  ['has it switched off', brokenWebrtc],
])('a browser that %s plays another way by itself', async (_case, before) => {
  const page = await visit('/watch/live/open', { before });
  await movingPicture(page);
  expect(await wayOf(page)).toBe('Automatic (HTTP-FLV)');
});

test('a stream that is not live yet is waited for', async () => {
  const page = await visit('/watch/live/later', { locale: 'zh-CN', before: noWebrtc });
  await stateOf(page, 'waiting');
  const later = publishTestSource(product.rtmpUrl(`later?${admin.publishQuery}`), { video: { gopSeconds: 1 } });
  await movingPicture(page);
  await later.stop();
});

test('a password opens a locked stream, also after a reload', async () => {
  const page = await visit('/watch/live/locked', { locale: 'zh-CN' });
  await page.getByLabel('观看密码').fill('a wrong guess');
  await page.getByRole('button', { name: '观看' }).click();
  await page.getByText('密码不对，请再试一次。').waitFor();
  await page.getByLabel('观看密码').fill(password);
  await page.getByRole('button', { name: '观看' }).click();
  await movingPicture(page);
  await page.reload();
  await movingPicture(page);
});

test('who has no link is told that one is needed, who has one plays', async () => {
  const page = await visit('/watch/live/signed');
  await page.getByText('A link is needed to watch').waitFor();
  const key = await admin.call(endpoints.createWatchKey, {});
  expect(key.id).not.toBe('');
  const link = await admin.call(endpoints.createWatchLink, { pattern: 'live/*', seconds: 600 });
  const source = publishTestSource(product.rtmpUrl(`signed?${admin.publishQuery}`), { video: { gopSeconds: 1 } });
  await page.goto(`${product.url}/watch/live/signed?${link.query}`);
  await movingPicture(page);
  await source.stop();
});

test('another site embeds it with one line, and drives it', async () => {
  const script = `<script src="${product.url}/watch/embed.js" data-stream="live/open" async></script>`;
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><body>${script}<p id="told"></p><script>
      document.addEventListener('srs-stack-state', ({ detail }) => { told.textContent = detail.state + ' ' + detail.muted; });
    </script>`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  const page = await visit(`http://localhost:${(site.address() as AddressInfo).port}/`);
  await page.getByText('playing true').waitFor();
  await page.evaluate(() => frames[0]?.postMessage({ srsStack: 'unmute' }, '*'));
  await page.getByText('playing false').waitFor();
  const frame = page.frames()[1]!;
  expect(await frame.locator('.bar').isVisible()).toBe(false);
});

test('sites that ask how to embed it are told, and previews have its title', async () => {
  const page = `${product.url}/watch/live/open`;
  const html = await (await fetch(page)).text();
  expect(html).toContain('<meta property="og:title" content="open" />');
  const oembed = /oembed" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const answer = (await (await fetch(oembed)).json()) as { type: string; html: string };
  expect(answer.type).toBe('video');
  expect(answer.html).toContain(`src="${page}?embed=1"`);
});
