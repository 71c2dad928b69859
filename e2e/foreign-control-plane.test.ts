// The gateway runs alone as the media server of another control plane (docs/how-to/use-the-media-server-alone.md).
// The gateway sends callbacks and serves the HTTP API of SRS. WebRTC signalling uses the port of that API, as in SRS.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPage, startChromium } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { probe, streamOf } from './support/ffprobe.ts';
import { type ForeignPlane, startForeignPlane } from './support/foreign-plane.ts';
import { freePort } from './support/free-port.ts';
import { olderNode } from './support/older-node.ts';
import { until } from './support/until.ts';
import { playByWhep, publishByWhip } from './support/webrtc.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const manual = readFileSync(join(checkout, 'docs/how-to/use-the-media-server-alone.md'), 'utf8');
/** The command of the documentation without `node`. It runs with an older Node of the machine, if there is one. */
const command = /^node (\S+ packages\/gateway\/src\/main\.ts)$/m.exec(manual)![1]!.split(' ');
const secret = 'of-another-plane';
/** Host name of the other control plane. Only the test browser can resolve it. */
const siteName = 'studio.example';

let folder: string;
let plane: ForeignPlane;
let gateway: ChildProcess;
let ports: BoundPorts;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-foreign-'));
  plane = await startForeignPlane(await freePort(), secret);
  gateway = spawn(olderNode ?? process.execPath, command, {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      PLATFORM_LISTEN: `127.0.0.1:${plane.port}`,
      MGMT_LISTEN: '127.0.0.1:0',
      HTTPS_LISTEN: '127.0.0.1:0',
      RTMP_LISTEN: '0',
      SRT_LISTEN: 'off',
      RTC_LISTEN: '0',
      SRS_API_LISTEN: '127.0.0.1:0',
      CANDIDATE: '127.0.0.1',
      NAME_LOOKUP: 'off',
    },
    stdio: 'ignore',
  });
  ports = await until('the gateway has its ports', () => {
    const file = join(folder, 'run/ports.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BoundPorts) : undefined;
  });
  plane.mediaServer = { api: ports.srsApi, http: ports.http };
  browser = await startChromium([`--host-resolver-rules=MAP ${siteName} 127.0.0.1`]);
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await browser?.close();
  const ended = gateway && once(gateway, 'exit');
  gateway?.kill();
  await ended;
  plane?.close();
  rmSync(folder, { recursive: true, force: true });
});

const eventOf = (action: string, stream: string) =>
  until(`${action} of ${stream}`, () => plane.events.find((each) => each.action === action && each.stream === stream));
const publishRtmp = (stream: string, query: string) =>
  publishTestSource(`rtmp://127.0.0.1:${ports.rtmp}/live/${stream}?${query}`, {
    video: { size: '320x180' },
    audio: {},
  });
const openSite = async (): Promise<Page> => {
  const { page } = await openPage(browser, 'en-US');
  // 127.0.0.1 is a separate origin and a secure context, in which browsers allow the camera.
  await page.goto(`http://127.0.0.1:${plane.port}/`);
  return page;
};
const viaPlane = (call: string, query: string) => `http://127.0.0.1:${plane.port}/rtc/v1/${call}/?app=live&${query}`;

test('callbacks authorize publishers; the API lists, counts and kicks; streams play', async () => {
  expect((await plane.callApi('/api/v1/versions')).data).toMatchObject({ major: 5 });
  expect(await publishRtmp('thief', 'secret=wrong').exited).not.toBe(0);
  expect(await eventOf('on_publish', 'thief')).toMatchObject({ app: 'live', param: '?secret=wrong' });
  const encoder = publishRtmp('show', `secret=${secret}`);
  const { client_id: clientId } = await eventOf('on_publish', 'show');
  const row = await until('the stream is listed', async () => {
    const { streams } = await plane.callApi('/api/v1/streams/');
    return streams.find(({ name, video }: { name: string; video: unknown }) => name === 'show' && video);
  });
  expect(row).toMatchObject({ app: 'live', publish: { active: true, cid: clientId } });
  const watched = await probe(`http://127.0.0.1:${plane.port}/live/show.flv`, { seconds: 2 });
  expect(streamOf(watched, 'video').codec_name).toBe('h264');
  await eventOf('on_play', 'show');
  const { file = '' } = await eventOf('on_hls', 'show');
  expect(existsSync(file)).toBe(true);
  expect(await plane.callApi(`/api/v1/clients/${clientId}`, 'DELETE')).toMatchObject({ code: 0 });
  expect(await encoder.exited).not.toBe(0);
  await eventOf('on_unpublish', 'show');
});

test('a client of that control plane publishes and plays by WebRTC through it, and the session ends when it is deleted', async () => {
  const publisher = await openSite();
  expect(await publishByWhip(publisher, viaPlane('whip', 'stream=cam&secret=wrong'))).toBeGreaterThanOrEqual(400);
  expect(await publishByWhip(publisher, viaPlane('whip', `stream=cam&secret=${secret}`))).toBe(201);
  expect(await eventOf('on_publish', 'cam')).toMatchObject({ app: 'live', ip: '127.0.0.1' });
  await until('media come in', async () => {
    const { streams } = await plane.callApi('/api/v1/streams/');
    return streams.some(({ name, video }: { name: string; video: unknown }) => name === 'cam' && video);
  });
  const viewer = await openSite();
  const played = await playByWhep(viewer, viaPlane('whep', 'stream=cam'));
  expect(played).toMatchObject({ isBlack: false });
  expect(await eventOf('on_play', 'cam')).toMatchObject({ ip: '127.0.0.1' });
  await publisher.context().close();
  await viewer.context().close();
});

test('the calls of SRS exist under the name that its clients use, and for pages of any site', async () => {
  const page = await openSite();
  const responses = await page.evaluate(
    async ({ direct, query }) => {
      const peer = new RTCPeerConnection();
      peer.addTransceiver('video', { direction: 'recvonly' });
      await peer.setLocalDescription();
      const sdp = peer.localDescription?.sdp ?? '';
      const post = (path: string, body: string) => fetch(`${direct}${path}`, { method: 'POST', body });
      const whep = await post(`/rtc/v1/whep/?${query}`, sdp);
      const location = whep.headers.get('location') ?? '';
      const response = await whep.text();
      const ended = await fetch(direct + location, { method: 'DELETE' });
      const wrong = await fetch(direct + location.replace(/token=\w+/, 'token=x'), { method: 'DELETE' });
      const legacy = await post('/rtc/v1/play/', JSON.stringify({ sdp, streamurl: 'webrtc://h/live/later' }));
      const { code, sdp: legacyAnswer = '' } = await legacy.json();
      peer.close();
      const unknown = await post('/rtc/v1/other/', sdp);
      return {
        whep: [whep.status, response],
        ended: [ended.status, wrong.status],
        legacy: [code, legacyAnswer],
        unknown: unknown.status,
      };
    },
    // The request comes from a page of a site that the media server does not know.
    { direct: `http://${siteName}:${ports.srsApi}`, query: 'app=live&stream=later' },
  );
  expect(responses.whep).toEqual([201, expect.stringMatching(/a=candidate:\d+ \d udp \d+ 127\.0\.0\.1 \d+ typ host/)]);
  expect(responses.ended[0]).toBe(200);
  expect(responses.legacy).toEqual([0, expect.stringContaining('a=candidate')]);
  expect(responses.unknown).toBe(404);
  // A page of an unknown site cannot call the API that controls the media server.
  const byName = (path: string) =>
    page.evaluate(async (url) => {
      try {
        return (await fetch(url)).status;
      } catch {
        return 0;
      }
    }, `http://${siteName}:${ports.srsApi}${path}`);
  expect(await byName('/api/v1/streams/')).toBe(0);
  await page.context().close();
});
