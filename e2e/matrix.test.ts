// Every input protocol with every output protocol, in the publisher's gateway and in a second gateway that copies the
// stream. A possible combination plays with video and audio. An impossible combination gives its documented refusal.
// FFmpeg and Chromium verify the media. For Enhanced FLV, which FFmpeg 5 cannot read, the test checks the bytes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type DecodedMedia, decodeAndListen } from './support/ffprobe.ts';
import { shortened } from './support/length.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';
import { askByWhep, playByWhep, publishByWhip } from './support/webrtc.ts';

/** Media time that each player plays, seconds. */
const seconds = 3;
/** Minimum number of frames in three seconds. A browser on a busy machine captures far less than 25 frames per second. */
const fewestFrames = 20;
/** Level below which audio counts as silent, decibels. The test tones are far louder, and codecs add some noise to silence. */
const silenceDb = -50;
/** Bytes that are read over WebSocket: more than each publisher sends in a second. */
const webSocketBytes = 150 * 1024;
/** Video size; a small size needs less CPU, and no test depends on it. */
const size = '320x180';

let product: Product;
let admin: Admin;
let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-matrix-'));
  product = await startProduct({ GATEWAYS: '2', RTSP_UDP_LISTEN: '0' });
  admin = await setUp(product, 'a long first password');
  browser = await launchChromium();
  ({ page } = await openPage(browser, 'en-US'));
  // A page of the product at 127.0.0.1 is a secure context, in which browsers allow the camera.
  await page.goto(`${product.url}/tools/player.html`);
  await publishAll();
  playAll();
});

afterAll(async () => {
  await browser?.close();
  await stopAllFfmpeg();
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function publishAll(): Promise<void> {
  const srt = (name: string) => srtUrl(`#!::r=live/${name},${admin.publishQuery},m=publish`);
  const runs = [
    publishTestSource(product.rtmpUrl(`rtmp?${admin.publishQuery}`), { video: { size }, audio: {} }),
    publishTestSource(srt('srt'), { video: { size }, audio: {} }),
    publishTestSource(srt('opus'), { video: { size }, audio: { codec: 'opus' } }),
    publishTestSource(srt('hevc'), { video: { size, codec: 'hevc' }, audio: {} }),
    publishTestSource(rtspUrl(`rtsp?${admin.publishQuery}&tcp`), { video: { size }, audio: {} }),
    publishTestSource(rtspUrl(`rtsp-udp?${admin.publishQuery}&udp`), { video: { size }, audio: {} }),
  ];
  await Promise.all(runs.map((run) => run.sending()));
  expect(await publishByWhip(page, whipUrl(), { width: 320, height: 180 })).toBe(201);
}

/** Connection timeout, milliseconds. All players start simultaneously, and the three seconds of libsrt are too short on a busy machine. */
const srtConnectMs = 20_000;
const srtUrl = (streamId: string, { srt } = product.ports) =>
  `srt://127.0.0.1:${srt}?mode=caller&connect_timeout=${srtConnectMs}&streamid=${streamId}`;
/** `tcp` and `udp` in the query are FFmpeg's options for the transport. */
const rtspUrl = (name: string, { rtsp } = product.ports) => `rtsp://127.0.0.1:${rtsp}/live/${name}`;
const whipUrl = () => `${product.url}/rtc/v1/whip/?app=live&stream=whip&${admin.publishQuery}`;
const whepUrl = (name: string, { http }: BoundPorts) => `http://127.0.0.1:${http}/rtc/v1/whep/?app=live&stream=${name}`;

const addresses: Record<string, (name: string, ports: BoundPorts) => string> = {
  RTMP: (name, { rtmp }) => `rtmp://127.0.0.1:${rtmp}/live/${name}`,
  'HTTP-FLV': (name, { http }) => `http://127.0.0.1:${http}/live/${name}.flv`,
  'HTTP-TS': (name, { http }) => `http://127.0.0.1:${http}/live/${name}.ts`,
  HLS: (name, { http }) => `http://127.0.0.1:${http}/live/${name}.m3u8`,
  'RTSP over TCP': (name, ports) => rtspUrl(`${name}?tcp`, ports),
  'RTSP over UDP': (name, ports) => rtspUrl(`${name}?udp`, ports),
  SRT: (name, ports) => srtUrl(`#!::r=live/${name},m=request`, ports),
};

interface Publisher {
  readonly title: string;
  readonly name: string;
  readonly video: string;
  /** Audio codec that TS players over SRT and RTSP players receive; other players receive AAC. */
  readonly sentAudio: string;
}

const publishers: readonly Publisher[] = [
  { title: 'FFmpeg RTMP', name: 'rtmp', video: 'h264', sentAudio: 'aac' },
  { title: 'FFmpeg SRT', name: 'srt', video: 'h264', sentAudio: 'aac' },
  { title: 'FFmpeg SRT with Opus', name: 'opus', video: 'h264', sentAudio: 'opus' },
  { title: 'FFmpeg SRT with HEVC', name: 'hevc', video: 'hevc', sentAudio: 'aac' },
  { title: 'FFmpeg RTSP over TCP', name: 'rtsp', video: 'h264', sentAudio: 'aac' },
  { title: 'FFmpeg RTSP over UDP', name: 'rtsp-udp', video: 'h264', sentAudio: 'aac' },
  { title: 'Chromium WHIP', name: 'whip', video: 'h264', sentAudio: 'opus' },
];

/**
 * Each stream is played from the publisher's gateway and from the gateway that copies the stream.
 * `npm test` plays copies of one encoder and one browser only, because all streams are copied alike.
 */
const cells = shortened(
  publishers.flatMap((publisher) => [
    { ...publisher, gateway: 0 },
    { ...publisher, gateway: 1, title: `${publisher.title}, copied by another gateway` },
  ]),
  ({ name, gateway }) => gateway === 0 || ['rtmp', 'whip'].includes(name),
);

/** The test checks the bytes of Enhanced FLV, which FFmpeg 5 cannot read. */
const playersOf = (video: string) =>
  video === 'hevc'
    ? ['HTTP-TS', 'HLS', 'RTSP over TCP', 'RTSP over UDP', 'SRT']
    : [...Object.keys(addresses), 'WebSocket-FLV'];

interface Cell {
  readonly name: string;
  readonly gateway: number;
  readonly player: string;
}

const plays = new Map<string, Promise<DecodedMedia>>();
const nameOf = ({ name, gateway, player }: Cell) => `${name}-${player}-${gateway}`;

/** All players of one publisher in one gateway play simultaneously, while the tests check the results of the previous group. */
function playAll(): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const { name, video, gateway } of cells) {
    const turn = before;
    const started = playersOf(video).map((player) => {
      const cell = { name, gateway, player };
      const play = turn.then(() => playOnce(cell));
      play.catch(() => undefined); // reported by the test that uses it
      plays.set(nameOf(cell), play);
      return play;
    });
    before = Promise.allSettled(started);
  }
}

/** Resolves with the result of a player. A second attempt of the test plays again. */
function played(cell: Cell): Promise<DecodedMedia> {
  const play = plays.get(nameOf(cell)) ?? playOnce(cell);
  plays.delete(nameOf(cell));
  return play;
}

async function playOnce(cell: Cell): Promise<DecodedMedia> {
  const { name, gateway, player } = cell;
  const ports = product.portsOf(gateway);
  if (player === 'WebSocket-FLV') {
    const file = join(folder, nameOf(cell));
    writeFileSync(file, await collectWebSocket(name, ports));
    return decodeAndListen(file);
  }
  const address = addresses[player]!(name, ports);
  if (player === 'HLS')
    await until(`HLS of ${name}`, () =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  return decodeAndListen(address, { seconds });
}

function expectVideoAndAudio(media: DecodedMedia, video: string, audio: string): void {
  const { codecs, packets, errors, loudestDb } = media;
  expect({ codecs, errors }).toEqual({ codecs: { video, audio }, errors: '' });
  for (const kind of ['video', 'audio'] as const) {
    // FFmpeg does not report the time of the first frame over RTSP.
    const times = packets
      .filter((packet) => packet.kind === kind)
      .map(({ dts }) => dts)
      .slice(1);
    expect(times.length, kind).toBeGreaterThan(fewestFrames);
    expect(
      times.every((time, index) => index === 0 || time > times[index - 1]!),
      kind,
    ).toBe(true);
  }
  expect(loudestDb).toBeGreaterThan(silenceDb);
}

describe.each(cells)('$title', ({ name, video, sentAudio, gateway }) => {
  const ports = () => product.portsOf(gateway);
  const players = playersOf(video);

  test.each(players)('plays over %s', async (player) => {
    const media = await played({ name, gateway, player });
    expectVideoAndAudio(media, video, /^(SRT|RTSP)/.test(player) ? sentAudio : 'aac');
  });

  test.runIf(video === 'hevc')('is sent as Enhanced FLV over HTTP and WebSocket', async () => {
    const overHttp = collectHttp(name, ports());
    for (const bytes of await Promise.all([overHttp, collectWebSocket(name, ports())])) {
      expect(bytes.subarray(0, 3).toString()).toBe('FLV');
      expect(bytes.includes('hvc1')).toBe(true);
    }
  });

  test.skipIf(video === 'hevc')('plays over WHEP in Chromium', async () => {
    const { page: viewer } = await openPage(browser, 'en-US');
    await viewer.goto(`${product.url}/tools/player.html`);
    const seen = await playByWhep(viewer, whepUrl(name, ports()));
    await viewer.close();
    expect(seen.frames).toBeGreaterThanOrEqual(30);
    expect(seen.width).toBeGreaterThan(0);
    expect(seen.isBlack).toBe(false);
    expect(seen.audioEnergy).toBeGreaterThan(0);
  });

  test.runIf(video === 'hevc')('is refused over WHEP with the reason', async () => {
    const { status, text } = await askByWhep(page, whepUrl(name, ports()));
    expect(status).toBe(406);
    expect(JSON.parse(text).data).toMatchObject({
      name: 'codec-unsupported',
      message: expect.stringContaining('h265'),
    });
  });
});

test('every publisher is listed with its protocol', async () => {
  const types = (await mediaServerClients(product))
    .filter(({ type }) => type.endsWith('-publish'))
    .map(({ type }) => type);
  const rtsp = Array.from({ length: 2 }, () => 'rtsp-publish');
  const srt = Array.from({ length: 3 }, () => 'srt-publish');
  expect(types.sort()).toEqual(['fmle-publish', 'rtc-publish', ...rtsp, ...srt]);
});

async function collectWebSocket(name: string, { http }: BoundPorts): Promise<Buffer> {
  const socket = new WebSocket(`ws://127.0.0.1:${http}/live/${name}.flv`);
  socket.binaryType = 'arraybuffer';
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.onerror = () => reject(new Error(`no WebSocket for ${name}`));
    socket.onmessage = ({ data }) => {
      chunks.push(Buffer.from(data as ArrayBuffer));
      if (chunks.reduce((sum, chunk) => sum + chunk.length, 0) >= webSocketBytes) resolve();
    };
  });
  socket.close();
  return Buffer.concat(chunks);
}

async function collectHttp(name: string, { http }: BoundPorts): Promise<Buffer> {
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${http}/live/${name}.flv`, { signal: abort.signal });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    if (chunks.reduce((sum, part) => sum + part.length, 0) >= webSocketBytes) break;
  }
  abort.abort();
  return Buffer.concat(chunks);
}
