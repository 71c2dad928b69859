// A page of another site plays streams of this server in Chromium. The page sends credentials with every request.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints, recordLinkPrefix } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { recording } from './support/record-rows.ts';
import { until } from './support/until.ts';
import { whipOffer } from './support/whip-offer.ts';

const hlsFile = join(fileURLToPath(new URL('../node_modules', import.meta.url)), 'hls.js/dist/hls.min.js');

let product: Product;
let admin: Admin;
let browser: Browser;
let site: Server;
let page: Page;

beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<video muted autoplay playsinline></video>');
  }).listen(0, '127.0.0.1');
  [product, browser] = await Promise.all([startProduct(), launchChromium(), once(site, 'listening')]);
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.applyRecord, { all: true });
  publishTestSource(product.rtmpUrl(`show?${admin.publishQuery}`), { video: { gopSeconds: 1 }, audio: {} });
  // The player of the page requests the playlist only once, so the playlist must exist before the page opens.
  await until('the stream has a playlist', async () => (await fetch(`${product.url}/live/show.m3u8`)).ok);
  ({ page } = await openPage(browser, 'en-US'));
  // localhost is another site than 127.0.0.1, and also a secure context, like an HTTPS page.
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Status and first byte that a script of the page can read; 0 when the browser blocks the response. */
const askFromPage = (url: string, options: Asked = {}) =>
  page.evaluate(
    async ([address, init]) => {
      try {
        const { status, headers, body } = await fetch(address, { ...init, credentials: 'include' });
        const first = await body?.getReader().read();
        return { status, first: first?.value?.[0] ?? -1, location: headers.get('location') };
      } catch {
        return { status: 0, first: -1, location: null };
      }
    },
    [url, options] as const,
  );

test('a player that sends credentials plays HLS of another site', async () => {
  await page.addScriptTag({ path: hlsFile });
  await page.evaluate((url) => {
    const { Hls } = window as unknown as {
      Hls: new (config: object) => { loadSource(url: string): void; attachMedia(video: Element): void };
    };
    const xhrSetup = (xhr: XMLHttpRequest) => {
      xhr.withCredentials = true;
      xhr.setRequestHeader('X-Token', 'one');
    };
    const player = new Hls({ xhrSetup });
    player.loadSource(url);
    player.attachMedia(document.querySelector('video')!);
  }, `${product.url}/live/show.m3u8`);
  await movingTestVideo(page);
});

test('a script that sends credentials reads streams, recordings and refusals', async () => {
  const letterF = 0x46;
  const hash = 0x23;
  expect(await askFromPage(`${product.url}/live/show.flv`)).toMatchObject({ status: 200, first: letterF });
  const headers = { Authorization: 'Bearer of the site', Range: 'bytes=0-' };
  expect(await askFromPage(`${product.url}/live/show.m3u8`, { headers })).toMatchObject({ status: 200, first: hash });
  const { uuid } = await recording(admin, 'show');
  const link = product.url + recordLinkPrefix + uuid;
  expect(await askFromPage(`${link}.m3u8`, { headers })).toMatchObject({ status: 200, first: hash });
  expect((await askFromPage(`${link}/index.mp4`, { headers })).status).toBe(404);
  expect((await askFromPage(`${product.url}/live/nobody.flv`)).status).toBe(404);
});

test('a script that sends credentials and a bearer token publishes by WHIP', async () => {
  const headers = { Authorization: 'Bearer of the site', 'Content-Type': 'application/sdp' };
  const url = `${product.url}/rtc/v1/whip/?app=live&stream=rtc&${admin.publishQuery}`;
  const answer = await askFromPage(url, { method: 'POST', headers, body: whipOffer });
  expect(answer.status).toBe(201);
  const session = new URL(answer.location!, product.url).href;
  expect((await askFromPage(session, { method: 'DELETE' })).status).toBe(200);
});
