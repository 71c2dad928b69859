// The watch page in Chromium. It plays the fastest working protocol, switches protocols by itself, and requests the password.
// Pages of other sites embed it.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@srs-stack/contract';
import type { WatchInfo } from '@srs-stack/contract/values/watch-info.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { accessibilityProblems, axeSource } from './gallery/accessibility.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
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
  await admin.call(endpoints.updateRewind, { minutes: 10, patterns: ['live/open'] });
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
const brokenWebrtc = `window.RTCPeerConnection = class { constructor() { throw new Error('switched off'); } };`;

const sizes = {
  phone: { width: 360, height: 740 },
  lyingPhone: { width: 740, height: 360 },
  desktop: { width: 1_280, height: 800 },
};

/** Checks accessibility of the page on phone and desktop in both themes, and that the page and its controls fit into the window. */
async function readsWell(page: Page): Promise<void> {
  await page.evaluate(axeSource);
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([size, ...(await accessibilityProblems(page, colorScheme))]).toEqual([size]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    expect([size, ...(await page.evaluate(partsOutOfView))]).toEqual([size]);
  }
}

/** Runs in the browser. Returns video, title and controls that are not completely inside the window. */
function partsOutOfView(): string[] {
  const parts = document.querySelectorAll('.picture, h1, .bar :is(button, select), .rewind :is(input, button)');
  const isInside = ({ top, left, bottom, right }: DOMRect): boolean =>
    top >= 0 && left >= 0 && bottom <= window.innerHeight + 0.5 && right <= window.innerWidth + 0.5;
  return [...parts]
    .filter((part) => part.checkVisibility() && !isInside(part.getBoundingClientRect()))
    .map((part) => `${part.tagName} ${part.className} ${part.textContent}`);
}

test('starts to connect before its script is loaded, and plays by that one connection', async () => {
  const { page, errors } = await openPage(browser, 'en-US');
  onTestFinished(() => page.context().close());
  let letScriptsCome = () => {};
  const mayCome = new Promise<void>((resolve) => {
    letScriptsCome = resolve;
  });
  await page.route('**/mgmt/assets/*.js', async (route) => {
    await mayCome;
    await route.continue();
  });
  const methods: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rtc/v1/whep/')) methods.push(request.method());
  });
  const answered = page.waitForResponse((response) => response.url().includes('/rtc/v1/whep/'));
  await page.goto(`${product.url}/watch/live/open`, { waitUntil: 'commit' });
  expect((await answered).status()).toBe(201);
  letScriptsCome();
  await movingTestVideo(page);
  expect(await wayOf(page)).toBe('Automatic (WebRTC)');
  expect(methods).toEqual(['POST']);
  expect(errors).toEqual([]);
});

test('plays an open stream immediately with the fastest protocol, and is accessible', async () => {
  const page = await visit('/watch/live/open');
  await movingTestVideo(page);
  expect(await wayOf(page)).toBe('Automatic (WebRTC)');
  expect(await page.title()).toBe('open');
  expect(await page.locator('.viewers').textContent()).toMatch(/^[1-9]\d* watching$/);
  await readsWell(page);
  await page.getByRole('combobox', { name: 'Protocol' }).selectOption('HLS');
  await movingTestVideo(page);
});

test.each([
  ['does not know WebRTC', noWebrtc],
  ['has WebRTC switched off', brokenWebrtc],
])('a browser that %s uses another protocol automatically', async (_case, before) => {
  const page = await visit('/watch/live/open', { before });
  await movingTestVideo(page);
  expect(await wayOf(page)).toBe('Automatic (HTTP-FLV)');
});

const png = () =>
  execFileSync('ffmpeg', '-v error -f lavfi -i color=teal:s=640x360 -frames:v 1 -f image2pipe -c:v png -'.split(' '));

test('waits for a stream that is not live yet, with the image, name and start time set by the operator', async () => {
  const data = png().toString('base64');
  const picture = await admin.call(endpoints.uploadWatchPicture, { use: 'picture', data });
  const logo = await admin.call(endpoints.uploadWatchPicture, { use: 'logo', data });
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const looks = [
    { pattern: '*', logo: logo.name, accent: '#b3261e' },
    { pattern: 'live/later', name: '晚会 <b>', text: '今晚八点', picture: picture.name, startsAt },
  ];
  await admin.call(endpoints.updateWatchPages, { looks });
  const address = '/watch/live/later';
  await until('the gateway knows', async () => (await (await fetch(product.url + address)).text()).includes('晚会'));
  const html = await (await fetch(product.url + address)).text();
  expect(html).toContain('<meta property="og:title" content="晚会 &lt;b&gt;" />');
  const image = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '';
  const shown = await fetch(image);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const page = await visit(address, { locale: 'zh-CN', before: noWebrtc });
  await stateOf(page, 'waiting');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('晚会 <b>');
  await page.getByText('开始时间').waitFor();
  expect(await page.locator('.countdown').first().textContent()).toMatch(/^(?:00:59:|01:00:00)/);
  await readsWell(page);
  const later = publishTestSource(product.rtmpUrl(`later?${admin.publishQuery}`), { video: { gopSeconds: 1 } });
  await movingTestVideo(page);
  await page.getByText(/^\d+ 人在看$/).waitFor();
  await later.stop();
  await stateOf(page, 'waiting');
});

test('a password opens a locked stream, also after a reload', async () => {
  const page = await visit('/watch/live/locked', { locale: 'zh-CN' });
  await page.getByLabel('观看密码').fill('a wrong guess');
  await page.getByRole('button', { name: '观看' }).click();
  await page.getByText('密码错误，请重试。').waitFor();
  await page.getByLabel('观看密码').fill(password);
  await page.getByRole('button', { name: '观看' }).click();
  await movingTestVideo(page);
  await page.reload();
  await movingTestVideo(page);
});

test('a viewer without a link sees that one is required, a viewer with a link plays', async () => {
  const page = await visit('/watch/live/signed');
  await page.getByText('This stream requires a link').waitFor();
  const key = await admin.call(endpoints.createWatchKey, {});
  expect(key.id).not.toBe('');
  const link = await admin.call(endpoints.createWatchLink, { pattern: 'live/*', seconds: 600 });
  const source = publishTestSource(product.rtmpUrl(`signed?${admin.publishQuery}`), { video: { gopSeconds: 1 } });
  await page.goto(`${product.url}/watch/live/signed?${link.query}`);
  await movingTestVideo(page);
  await source.stop();
});

test('another site embeds it with one line, and controls it', async () => {
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

test('the page receives all data of an open stream, but only public data of a locked one', async () => {
  const infoOf = async (path: string) => {
    const answer = await fetch(`${product.url}/watch/live/${path}`);
    return { caching: answer.headers.get('cache-control'), info: (await answer.json()) as WatchInfo };
  };
  const open = await infoOf('open/info.json');
  expect(open.caching).toBe('public, max-age=1');
  expect(open.info).toMatchObject({ name: 'open', allowed: true, live: true, ways: ['webrtc', 'flv', 'hls'] });
  expect(Date.parse(open.info.since ?? '')).toBeLessThanOrEqual(Date.now());
  expect(open.info.viewers).toBeGreaterThanOrEqual(0);
  const nothing = { live: null, since: null, viewers: null, ways: [] };
  expect(await infoOf('locked/info.json')).toMatchObject({
    caching: 'private, max-age=1',
    info: { name: 'locked', allowed: false, ...nothing },
  });
  const { query } = await admin.call(endpoints.unlockStream, { app: 'live', stream: 'locked', password });
  expect((await infoOf(`locked/info.json?${query}`)).info).toMatchObject({ allowed: true, live: true });
  expect((await infoOf('nobody/info.json')).info).toMatchObject({ allowed: true, live: false, viewers: 0 });
});

test('oEmbed returns the embed code, and previews have its title', async () => {
  const page = `${product.url}/watch/live/open`;
  const html = await (await fetch(page)).text();
  expect(html).toContain('<meta property="og:title" content="open" />');
  const oembed = /oembed" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const answer = (await (await fetch(oembed)).json()) as { type: string; html: string };
  expect(answer.type).toBe('video');
  expect(answer.html).toContain(`src="${page}?embed=1"`);
});

test('a viewer rewinds a stream, sees preview images, and returns to the live edge', async () => {
  await until('the rewind window has media', async () => {
    const playlist = await (await fetch(`${product.url}/live/open.rewind.m3u8`)).text();
    const url = /^(?!#).+rewind.+$/m.exec(playlist)?.[0];
    const media = url ? await (await fetch(new URL(url, `${product.url}/live/`))).text() : playlist;
    return (
      [...`${playlist}${media}`.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0) > 25
    );
  });
  const page = await visit('/watch/live/open');
  const slider = page.getByRole('slider', { name: 'Stream position' });
  await slider.waitFor();
  const spanSeconds = -Number(await slider.getAttribute('min'));
  expect(spanSeconds).toBeGreaterThan(8);
  expect(spanSeconds).toBeLessThan(600);
  await slider.focus();
  const picture = page.waitForResponse((answer) => /rewind\S*\.jpe?g/.test(answer.url()) && answer.ok());
  await slider.hover({ position: { x: 400, y: 10 } });
  await picture;
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page
    .locator('.behind')
    .filter({ hasText: /^−0:(?:1[5-9]|2\d|3[0-5])$/ })
    .waitFor();
  await movingTestVideo(page);
  expect(await page.locator('.sign').isVisible()).toBe(false);
  await readsWell(page);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.locator('.rewind[data-now="true"]').waitFor();
  await movingTestVideo(page);
  await page.locator('.sign').waitFor();
});

test('the preview in the settings plays a live stream, and shows the page before it is live on request', async () => {
  const page = await visit('/watch/live/open?preview=1');
  await movingTestVideo(page);
  const look = { name: 'Typed', text: '', picture: '', logo: '', accent: '', theme: 'dark', startsAt: '' };
  const show = (isWaiting: boolean) =>
    page.evaluate((data) => window.postMessage(data, location.origin), { srsStack: 'look', look, isWaiting });
  await show(true);
  await page.locator('.waiting:not([hidden])').waitFor();
  await page.getByRole('heading', { name: 'Typed' }).waitFor();
  await show(false);
  await movingTestVideo(page);
  await page.getByRole('heading', { name: 'Typed' }).waitFor();
});

test('a viewer selects a rendition of a ladder', async () => {
  const steps = [{ height: 144, fps: 0 as const, kbps: 200 }];
  await admin.call(endpoints.applyLadder, {
    enabled: true,
    start: 'live',
    streams: ['live/open'],
    steps,
    audioKbps: 0,
  });
  const page = await visit('/watch/live/open');
  const menu = page.getByRole('combobox', { name: 'Quality' });
  await until('the menu has the rendition', async () => {
    await menu.blur();
    await menu.focus();
    return (await menu.locator('option[value="144"]').count()) > 0;
  });
  await menu.selectOption('144');
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 144);
  await movingTestVideo(page);
  await admin.call(endpoints.applyLadder, { enabled: false, steps });
});

test('low-latency HLS is the first protocol where it is enabled and WebRTC is not', async () => {
  await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
  await until('it is on', async () => (await fetch(`${product.url}/live/open.ll.m3u8`)).ok);
  const page = await visit('/watch/live/open', { before: noWebrtc });
  await movingTestVideo(page);
  expect(await wayOf(page)).toBe('Automatic (Low-latency HLS)');
});
