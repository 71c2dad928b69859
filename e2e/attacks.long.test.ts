// Attacks that need no credential run one after another, beside a publisher and viewers over RTMP, SRT, WebRTC, HLS and HTTP.
// Viewers must continue, no process may exit, and memory must be released.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints, recordLinkPrefix } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, call, setUp } from './support/api.ts';
import { attacksOn } from './support/attacks.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type FlvWatch, watchFlv } from './support/flv-watch.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

/** Longest distance between two received frames, milliseconds: two frame intervals of the source. A single missing frame is accepted. */
const longestStepMs = 80;
/** Allowed growth of memory between two rounds, MB, for caches and for memory that the allocator keeps. */
const growthMb = 64;
/** Maximum number of rounds; stable memory ends the test after two. A leak grows in every round, allocator caches grow only once. */
const mostRounds = 4;

let product: Product;
let admin: Admin;
let browser: Browser;
let page: Page;
let flv: FlvWatch;
let players: FfmpegRun[];
let recording: string;
let ownersCookie: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), launchChromium()]);
  admin = await setUp(product, password);
  ownersCookie = cookieOf(await logIn());
  await admin.call(endpoints.applyRecord, { all: true });
  publishTestSource(product.rtmpUrl(`kept?${admin.publishQuery}`), { video: { size: '1280x720' }, audio: {} });
  const uuid = await until('a recording has some segments', async () => {
    const [row] = await admin.call(endpoints.queryRecordFiles, {});
    return row && row.nn >= 4 ? row.uuid : undefined;
  });
  await admin.call(endpoints.endRecord, { uuid });
  recording = await until('it is finished', async () => {
    const row = (await admin.call(endpoints.queryRecordFiles, { search: uuid }))[0];
    return row && !row.progress ? `${recordLinkPrefix}${uuid}/index.mp4` : undefined;
  });
  await stopAllFfmpeg();

  await publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} }).sending(25);
  const srt = `srt://127.0.0.1:${product.ports.srt}?mode=caller&streamid=#!::r=live/lobby,m=request`;
  const play = (url: string) => runFfmpeg(['-i', url, '-c', 'copy', '-f', 'null', '-']);
  await until('HLS is there', async () => (await fetch(`${product.url}/live/lobby.m3u8`)).ok);
  players = [product.rtmpUrl('lobby'), `${product.url}/live/lobby.ts`, `${product.url}/live/lobby.m3u8`, srt].map(play);
  await Promise.all(players.map((player) => player.sending(25)));
  flv = await watchFlv(`${product.url}/live/lobby.flv`);
  ({ page } = await openPage(browser, 'en-US'));
  await page.goto(`${product.url}/players/whep.html?stream=lobby&autostart=true`);
  await movingTestVideo(page);
});

afterAll(async () => {
  flv?.close();
  await browser?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

const password = 'a long first password';
const logIn = (cookie = ''): Promise<Response> =>
  fetch(product.url + endpoints.login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ password }),
  });
const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';

async function servers(): Promise<{ pids: readonly number[]; gatewayMb: number }> {
  const { server } = (await (await fetch(`${product.url}/terraform/v1/host/versions`)).json()) as { server: number };
  const { pid } = JSON.parse(readFileSync(join(product.dataDir, 'run/ports.json'), 'utf8')) as { pid: number };
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { pids: [server, pid], gatewayMb: kilobytes / 1_024 };
}

test('all attacks, repeated: all viewers continue, the operator can log in, and memory is stable', {
  timeout: 600_000,
}, async () => {
  const before = await servers();
  const memory: number[] = [];
  const lastGrowthMb = () => (memory.at(-1) ?? 0) - (memory.at(-2) ?? 0);
  for (let round = 1; round <= 2 || (round <= mostRounds && lastGrowthMb() >= growthMb); round++) {
    for (const [what, attack] of attacksOn(product, recording)) {
      flv.forget();
      const calls = attack();
      await call(product, endpoints.check, {});
      await calls;
      expect(flv.ended(), what).toBeUndefined();
      expect(flv.longestStepMs(), what).toBeLessThanOrEqual(longestStepMs);
      console.info(`round ${round}, ${what}: longest pause ${Math.round(flv.longestPauseMs())} ms`);
      expect((await servers()).pids, what).toEqual(before.pids);
    }
    // After a timeout, the server removes peers that never connected.
    await until('the sessions of the attack are gone', async () => {
      const clients = await mediaServerClients(product);
      return clients.filter(({ type }) => type === 'rtc-play').length <= 1;
    });
    memory.push((await servers()).gatewayMb);
  }
  console.info(
    `gateway: ${before.gatewayMb.toFixed(0)} MB before, ${memory.map((mb) => mb.toFixed(0)).join(' and ')} MB after`,
  );
  expect(lastGrowthMb()).toBeLessThan(growthMb);
  for (const player of players) await player.sending(200);
  await movingTestVideo(page);
  // The attack guessed passwords from this address, so a login from here also needs the cookie of the operator's browser.
  expect((await logIn(ownersCookie)).status).toBe(200);
});
