// Viewers over low-latency HLS, WHEP, SRT and RTSP while a stream changes to its slate and back.
// Each viewer keeps its session and decodes everything, and the timestamps continue.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type HlsViewer, openHlsViewer } from './support/hls-viewer.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { recordFrames, type ShownFrame, shownFrames, startWhep, whepFacts } from './support/shown-frames.ts';
import { until } from './support/until.ts';

/** Mean brightness below which a frame belongs to the slate, 0 to 255. The source is a bright test pattern. */
const darkBelow = 50;
/** Brightness of the encoded slate. If a player decodes it with the parameter sets of the source, the brightness differs. */
const slateBrightness = 22;
/** Minimum duration of each slate, milliseconds: longer than an HLS segment. */
const slateMs = 4_000;
/** Maximum distance between two frames, seconds. A switch may lose some frames, which follow every 0.04 s. */
const longestStep = 0.2;

let product: Product;
let admin: Admin;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-slate-viewers-'));
  product = await startProduct({ RTSP_UDP_LISTEN: '0' });
  admin = await setUp(product, 'slate password');
  await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
  await admin.call(endpoints.updateSlates, { enabled: true, afterSeconds: 1, longestMinutes: 2 });
  browser = await launchChromium();
});
afterAll(async () => {
  await stopAllFfmpeg();
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true });
});

const publish = async () => {
  const encoder = publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} });
  await encoder.sending(20);
  return encoder;
};
const row = async () => (await admin.call(endpoints.querySlates, {})).streams.find(({ stream }) => stream === 'source');
const ready = () =>
  until('the source is on the air and its slate is ready', async () => {
    const found = await row();
    return found?.state === 'ready' && found.onAirMs === undefined;
  });
const onAir = () => until('the slate is on the air', async () => ((await row())?.onAirMs ?? -1) > slateMs);
const viewerIds = async () =>
  (await mediaServerClients(product))
    .filter(({ type }) => !type.includes('publish'))
    .map(({ id, type }) => `${type} ${id}`)
    .sort();

const addresses = {
  srt: ['-i', `srt://127.0.0.1:PORT?mode=caller&streamid=#!::r=live/source,m=request`],
  'rtsp-tcp': ['-rtsp_transport', 'tcp'],
  'rtsp-udp': ['-rtsp_transport', 'udp'],
  'low-latency-hls': [],
} as const;
type Player = keyof typeof addresses;
const players = Object.keys(addresses) as Player[];

function inputOf(player: Player): string[] {
  if (player === 'srt') return ['-i', addresses.srt[1].replace('PORT', String(product.ports.srt))];
  if (player === 'low-latency-hls') return ['-i', `${product.url}/live/source.ll.m3u8`];
  return [...addresses[player], '-i', `rtsp://127.0.0.1:${product.ports.rtsp}/live/source`];
}

/** Names of hls.js errors that only report waiting at the live edge. */
const isWaiting = /^buffer(?:StalledError|SeekOverHole|NudgeOnStall)$/;
/** FFmpeg reads the initialization segment of a changed stream and ignores it: the keyframes also contain the parameter sets. */
const ignoredInitSegment = /^.*Found duplicated MOOV Atom. Skipped it\n/gm;

const listOf = (player: Player) => join(folder, `${player}.frames`);
const picturesOf = (player: Player) => join(folder, `${player}.gray`);
const [width, height] = [16, 9];

/** Decodes with all error checks of FFmpeg, lists each decoded frame, and saves a small gray version of each frame. */
const decode = (player: Player) =>
  runFfmpeg([
    ...['-xerror', '-err_detect', 'explode', ...inputOf(player), '-map', '0:v', '-map', '0:a'],
    ...[
      '-fps_mode',
      'passthrough',
      '-enc_time_base',
      '1:1000',
      '-flush_packets',
      '1',
      '-f',
      'framecrc',
      listOf(player),
    ],
    ...['-map', '0:v', '-fps_mode', 'passthrough', '-vf', `scale=${width}:${height},format=gray`],
    ...['-flush_packets', '1', '-f', 'rawvideo', picturesOf(player)],
  ]);

function decodedBrightness(player: Player): number[] {
  const bytes = readFileSync(picturesOf(player));
  const size = width * height;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => {
    const frame = bytes.subarray(index * size, (index + 1) * size);
    return frame.reduce((sum, value) => sum + value, 0) / size;
  });
}

/** Times of decoded frames in order of arrival, seconds: `stream, dts, pts, duration, size, checksum`. */
function decodedTimes(player: Player): Record<'video' | 'audio', number[]> {
  const lines = readFileSync(listOf(player), 'utf8').split('\n').slice(0, -1);
  const bases = lines.flatMap((line) => /^#tb \d: (\d+)\/(\d+)/.exec(line)?.slice(1, 3) ?? []).map(Number);
  const times = (stream: number) => {
    const rows = lines.filter((line) => line.startsWith(`${stream},`));
    return rows.map((line) => (Number(line.split(',')[2]) * bases[stream * 2]!) / bases[stream * 2 + 1]!);
  };
  return { video: times(0), audio: times(1) };
}

const stepsOf = (times: readonly number[]) => times.slice(1).map((time, index) => time - times[index]!);
const stepsBack = (times: readonly number[]) => stepsOf(times).filter((step) => step < 0);
/** Number of changes between source and slate. */
const changes = (brightness: readonly number[]) =>
  brightness.filter((each, index) => index > 0 && each < darkBelow !== brightness[index - 1]! < darkBelow).length;
const brightnessOf = (frames: readonly ShownFrame[]) => frames.map(({ brightness }) => brightness);

async function openWhep(): Promise<Page> {
  const { page } = await openPage(browser, 'en-US');
  const address = `${product.url}/tools/viewer-of-the-test.html`;
  const body = '<!doctype html><video muted autoplay playsinline></video>';
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  expect(await startWhep(page, `${product.url}/rtc/v1/whep/?app=live&stream=source`)).toBe(201);
  await recordFrames(page);
  return page;
}

async function openHls(): Promise<HlsViewer> {
  const options = { origin: product.url, playlist: '/live/source.ll.m3u8', isLowLatency: true };
  const viewer = await openHlsViewer(browser, options);
  await recordFrames(viewer.page);
  return viewer;
}

test('all viewers keep their session through two slates, and none sees an error or a step back', async () => {
  let encoder = await publish();
  await ready();
  const decoders = new Map<Player, FfmpegRun>(players.map((player) => [player, decode(player)]));
  const whep = await openWhep();
  const hls = await openHls();
  await Promise.all([...decoders.values()].map((each) => each.sending(20)));
  for (const page of [whep, hls.page])
    await until('the browser shows frames', async () => (await shownFrames(page)).length > 20);
  const before = await viewerIds();
  expect(before).toHaveLength(players.length + 2);

  for (let loss = 1; loss <= 2; loss++) {
    await encoder.stop(loss === 1 ? 'abruptly' : 'gracefully');
    await onAir();
    encoder = await publish();
    await ready();
    for (const page of [whep, hls.page])
      await until(
        'the browser shows the source again',
        async () => changes(brightnessOf(await shownFrames(page))) === 2 * loss,
      );
  }
  // Some players are seconds behind, so the test waits for each player.
  for (const player of players)
    await until(`${player} has decoded both slates`, () => changes(decodedBrightness(player)) === 4);

  expect(await viewerIds()).toEqual(before);
  const logs = [...decoders].map(([player, run]) => [player, run.log().replace(ignoredInitSegment, '')]);
  expect(Object.fromEntries(logs)).toEqual(Object.fromEntries(players.map((player) => [player, ''])));
  await Promise.all([...decoders.values()].map((each) => each.stop()));
  for (const player of players) {
    const slates = decodedBrightness(player).filter((each) => each < darkBelow);
    expect({ player, slates: new Set(slates.map(Math.round)) }).toEqual({ player, slates: new Set([slateBrightness]) });
    const { video, audio } = decodedTimes(player);
    expect({ player, video: stepsBack(video), audio: stepsBack(audio) }).toEqual({ player, video: [], audio: [] });
    expect({ player, steps: stepsOf(video).filter((step) => step > longestStep) }).toEqual({ player, steps: [] });
    expect({ player, steps: stepsOf(audio).filter((step) => step > longestStep) }).toEqual({ player, steps: [] });
  }

  // A browser requests a keyframe when it cannot decode. Frames dropped on a busy machine are not counted.
  expect(await whepFacts(whep)).toEqual({ connectionState: 'connected', packetsLost: 0, keyframeRequests: 0 });
  expect(stepsBack((await shownFrames(whep)).map(({ time }) => time))).toEqual([]);

  // A player that is two seconds behind waits while no media arrives, then jumps over the gap. Nothing else is lost.
  const { complaints, buffered } = await hls.state();
  expect(complaints.filter((each) => !isWaiting.test(each))).toEqual([]);
  expect(buffered.slice(1).map(([from], index) => from - buffered[index]![1] < longestStep)).not.toContain(false);
  expect(await hls.page.evaluate(() => document.querySelector('video')!.error?.message)).toBeUndefined();
  expect(stepsBack((await shownFrames(hls.page)).map(({ time }) => time))).toEqual([]);
}, 300_000);
