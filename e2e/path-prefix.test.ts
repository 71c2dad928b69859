// A proxy that publishes the product below a path: nginx and Caddy as in docs/how-to/publish-below-a-path.md.
// A further nginx location sets no headers.
import { readFileSync } from 'node:fs';
import { endpoints, recordLinkPrefix } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type BalancerName, missingBalancer, type RunningBalancer, startBalancer } from './support/balancer.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { recording } from './support/record-rows.ts';
import { until } from './support/until.ts';
import { whipOffer } from './support/whip-offer.ts';

const document = readFileSync(new URL('../docs/how-to/publish-below-a-path.md', import.meta.url), 'utf8');
const blockOf = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(document)![1]!.replaceAll('127.0.0.1:2022', upstream());
const upstream = () => `127.0.0.1:${product.ports.http}`;
const nginxWith = (location: string) => `events {}
http {
  access_log off;
  map $http_upgrade $srs_stack_connection { default upgrade; '' ''; }
  server {
    listen 80;
    ${location}
  }
}`;

let product: Product;
let admin: Admin;
let browser: Browser;
let recorded: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ TRUST_PROXY: '127.0.0.1' }), launchChromium()]);
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.updateRewind, { minutes: 10, patterns: ['live/show'] });
  await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
  await admin.call(endpoints.applyRecord, { all: true });
  publishTestSource(product.rtmpUrl(`show?${admin.publishQuery}`), { video: { gopSeconds: 1 }, audio: {} });
  recorded = (await recording(admin, 'show')).uuid;
});
afterAll(async () => {
  await browser?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

async function run(name: BalancerName, text: string): Promise<RunningBalancer & { root: string }> {
  const balancer = await startBalancer(name, text);
  onTestFinished(() => balancer.close());
  const root = `http://127.0.0.1:${balancer.http}/stream`;
  await until(`${name} responds`, async () => (await fetch(`${root}/healthz`).catch(() => undefined))?.ok);
  return { ...balancer, root };
}

const addressesIn = (text: string) => text.match(/(?<=^|URI=")[^#\n"][^\n"]*(?="|$)/gm) ?? [];

/** Sends the requests of a player. Resolves with the first byte of the first segment, which identifies its format. */
async function firstSegment(url: string): Promise<number> {
  const response = await fetch(url);
  expect([url, response.status]).toEqual([url, 200]);
  if (!response.headers.get('content-type')?.includes('mpegurl')) return Buffer.from(await response.arrayBuffer())[0]!;
  const named = addressesIn(await response.text());
  expect(named).not.toEqual([]);
  return firstSegment(new URL(named.at(-1)!, url).href);
}

async function expectHls(root: string): Promise<void> {
  expect(await firstSegment(`${root}/live/show.m3u8`)).toBe(0x47);
  expect(await firstSegment(`${root}/live/show.rewind.m3u8`)).toBe(0x47);
  // A box of fragmented MP4 starts with its size.
  expect(await firstSegment(`${root}/live/show.ll.m3u8`)).toBe(0);
}

/** Checks the watch page over HLS and WebRTC, and both kinds of player pages. */
async function expectPages(root: string): Promise<void> {
  const pages = [
    '/watch/live/show?way=hls',
    '/watch/live/show?way=webrtc',
    '/tools/player.html?url=/live/show.m3u8',
    '/players/whep.html?app=live&stream=show&autostart=true',
  ];
  for (const path of pages) {
    const { page, errors } = await openPage(browser, 'en-US');
    const outside: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith('http') && !request.url().startsWith(`${root}/`)) outside.push(request.url());
    });
    await page.goto(root + path);
    await movingTestVideo(page);
    expect([path, ...errors, ...outside]).toEqual([path]);
    await page.context().close();
  }
}

/** Checks absolute addresses, which depend on the header of the proxy. */
async function expectAbsolute(root: string): Promise<void> {
  expect(await firstSegment(`${root}${recordLinkPrefix}${recorded}.m3u8`)).toBe(0x47);
  const home = await fetch(`${root}/`, { redirect: 'manual' });
  expect(home.headers.get('location')).toBe('/stream/mgmt');
  const whip = `${root}/rtc/v1/whip/?app=live&stream=rtc&${admin.publishQuery}`;
  const session = (await fetch(whip, { method: 'POST', body: whipOffer })).headers.get('location')!;
  expect(session).toMatch(/^\/stream\/rtc\/v1\/whip\/\?/);
  expect((await fetch(new URL(session, root), { method: 'DELETE' })).status).toBe(200);
  const page = `${root}/watch/live/show`;
  const html = await (await fetch(page)).text();
  expect(html).toContain(`<meta property="og:url" content="${page}" />`);
  const oembed = /oembed" href="([^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&');
  const { html: frame } = (await (await fetch(oembed)).json()) as { html: string };
  expect(frame).toContain(`src="${page}?embed=1"`);
}

const title = (name: BalancerName, what: string) =>
  missingBalancer(name) ? `${what} (skipped: ${missingBalancer(name)})` : what;

describe.each([
  ['nginx', () => nginxWith(blockOf('nginx'))],
  ['caddy', () => blockOf('caddyfile')],
] as const)('%s with the documented block', (name, text) => {
  test.skipIf(missingBalancer(name))(title(name, 'plays everything below the path'), async () => {
    const { root } = await run(name, text());
    await expectHls(root);
    await expectAbsolute(root);
    await expectPages(root);
    const socket = new WebSocket(`${root.replace('http', 'ws')}/live/show.flv`);
    await new Promise((resolve, reject) => {
      socket.onmessage = resolve;
      socket.onerror = reject;
    });
    socket.close();
  });
});

test.skipIf(missingBalancer('nginx'))(
  title('nginx', 'a location that sets no headers plays HLS and pages'),
  async () => {
    const { root } = await run('nginx', nginxWith(`location /stream/ { proxy_pass http://${upstream()}/; }`));
    await expectHls(root);
    await expectPages(root);
  },
);
