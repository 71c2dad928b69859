// What viewers of a slate see: Chinese text, a clip with synchronous audio, the last frame. A stream may also begin with its slate.
// A forward that encodes sends one decoder configuration for source and slate.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints, uploadPath } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startCallbackTarget } from '../packages/platform/src/testing/callback-target.ts';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodedSizes, decodeErrors } from './support/ffprobe.ts';
import { freePort } from './support/free-port.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { startRtmpSink } from './support/rtmp-sink.ts';
import { until } from './support/until.ts';

const run = promisify(execFile);

let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-slate-content-'));
  product = await startProduct({ FORWARD_WITH: 'engine' });
  admin = await setUp(product, 'slate password');
});
afterAll(async () => {
  await product?.remove();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  const plain = { content: 'image', image: '', title: '', text: '', blur: false } as const;
  await admin.call(endpoints.updateSlates, { enabled: true, afterSeconds: 2, longestMinutes: 5, ...plain });
});
afterEach(async () => {
  for (const platform of Object.keys((await admin.call(endpoints.forwardSecret, {})) ?? {})) {
    await admin.call(endpoints.removeForward, { platform });
  }
  await stopAllFfmpeg();
  await admin.call(endpoints.updateSlates, { enabled: false });
  await until('no stream is live', async () => (await liveStreams()).length === 0);
});

const liveStreams = async () => (await admin.call(endpoints.queryStreams, {})).streams;
const publish = async (size = '640x360', stream = 'source') => {
  const encoder = publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: { size }, audio: {} });
  await encoder.sending(30);
  return encoder;
};
const slates = () => admin.call(endpoints.querySlates, {});
const row = async () => (await slates()).streams.find(({ stream }) => stream === 'source');
const ready = () =>
  until('the slate of the source is ready', async () => {
    const found = await row();
    return found?.state === 'ready' && found.clipProgress === undefined && found.onAirMs === undefined;
  });
const onAir = (ms = 0) => until('the slate is on the air', async () => ((await row())?.onAirMs ?? -1) > ms);
const viewerUrl = (stream = 'source') => `${product.url}/live/${stream}.flv`;
const forward = (platform: string, server: string, more: { stream?: string; encodeKbps?: number } = {}) =>
  admin.call(endpoints.forwardSecret, {
    ...{ action: 'update', platform, server, secret: 'key', enabled: true, custom: true, ...more },
  });

async function frameOf(input: string): Promise<Buffer> {
  const output = ['-frames:v', '1', '-an', '-vf', 'scale=320:180', '-pix_fmt', 'gray', '-f', 'rawvideo', '-'];
  const options = { encoding: 'buffer' } as const;
  return (await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', input, ...output], options)).stdout;
}
/** Mean difference of the pixels of two frames, 0 to 255. */
const difference = (a: Buffer, b: Buffer) =>
  a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;

it('a viewer of the slate sees its Chinese text as the preview shows it', async () => {
  const text = { title: '直播马上回来', text: '感谢您的耐心等待 100%' };
  await admin.call(endpoints.updateSlates, { enabled: true, ...text });
  const { picture } = await admin.call(endpoints.previewSlate, {});
  const preview = join(folder, 'preview.jpg');
  writeFileSync(preview, Buffer.from(picture.split(',')[1]!, 'base64'));
  const encoder = await publish();
  await ready();
  await encoder.stop('abruptly');
  await onAir(500);
  const [seen, drawn] = await Promise.all([frameOf(viewerUrl()), frameOf(preview)]);
  expect(seen.filter((value) => value > 160).length).toBeGreaterThan(200);
  expect(difference(seen, drawn)).toBeLessThan(5);
}, 120_000);

it('a clip repeats for a viewer without audio leaving its video', async () => {
  // A white flash and a beep every 2.9 s. This period is not a whole number of audio frames.
  const clip = join(folder, 'flash.mp4');
  const flash = "drawbox=color=white:t=fill:enable='between(t,1,1.3)'";
  const beep = "aevalsrc='if(between(t,1,1.3),0.8*sin(2*PI*1000*t),0)':s=44100:d=2.9";
  const video = ['-f', 'lavfi', '-i', 'color=black:s=320x180:r=25:d=2.9', '-f', 'lavfi', '-i', beep, '-vf', flash];
  execFileSync('ffmpeg', [
    '-loglevel',
    'error',
    '-y',
    ...video,
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    '-b:a',
    '128k',
    clip,
  ]);
  const target = await upload(clip);
  await admin.call(endpoints.updateSlates, { enabled: true, content: 'clip', clip: target, clipName: 'flash.mp4' });
  const encoder = await publish();
  await ready();
  await encoder.stop('abruptly');
  await onAir();
  const file = join(folder, 'clip.flv');
  const viewer = runFfmpeg(['-i', viewerUrl(), '-c', 'copy', '-t', '32', '-y', file]);
  expect(await viewer.exited).toBe(0);
  expect(await decodeErrors(file)).toBe('');
  const [flashes, beeps] = await Promise.all([flashesOf(file), beepsOf(file)]);
  expect(flashes.length).toBeGreaterThanOrEqual(9);
  const offsets = flashes.map((time) => Math.min(...beeps.map((beepAt) => Math.abs(beepAt - time))));
  expect(Math.max(...offsets)).toBeLessThanOrEqual(0.045);
  const rounds = flashes.slice(1).map((time, index) => time - flashes[index]!);
  for (const round of rounds) expect(round).toBeCloseTo(2.92, 1);
}, 180_000);

/** Times at which the video becomes bright, seconds. */
async function flashesOf(file: string): Promise<number[]> {
  const filter = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-';
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, '-vf', filter, '-f', 'null', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const frames = [...stdout.matchAll(/pts_time:([\d.]+)\s+\S+YAVG=([\d.]+)/g)].map(([, at, luma]) => ({
    at: Number(at),
    isBright: Number(luma) > 120,
  }));
  return frames.filter(({ isBright }, index) => isBright && frames[index - 1]?.isBright === false).map(({ at }) => at);
}

/** Times at which a silence ends, seconds. */
async function beepsOf(file: string): Promise<number[]> {
  const filter = ['-af', 'silencedetect=n=-30dB:d=0.3', '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', ['-i', file, '-vn', ...filter], { maxBuffer: 64 * 1024 * 1024 });
  return [...stderr.matchAll(/silence_end: ([\d.]+)/g)].map(([, at]) => Number(at));
}

async function upload(file: string): Promise<string> {
  const form = new FormData();
  form.append('flash.mp4', new Blob([readFileSync(file)]), 'flash.mp4');
  const headers = { authorization: `Bearer ${admin.session.bearer}` };
  const response = await fetch(`${product.url}${uploadPath}flash.mp4`, { method: 'POST', body: form, headers });
  const { data } = (await response.json()) as { data: { target: string } };
  return data.target;
}

it('the last frame of the source is shown, and nothing is encoded for it while the source sends', async () => {
  await admin.call(endpoints.updateSlates, { enabled: true, content: 'last-frame', afterSeconds: 3 });
  const encoder = await publish();
  await ready();
  const recorded = join(folder, 'last.flv');
  const viewer = runFfmpeg(['-i', viewerUrl(), '-c', 'copy', '-y', recorded]);
  await viewer.sending(50);
  await encoder.stop('abruptly');
  await onAir(4_000);
  // A dark screen (luma 22) is shown until the last frame is ready. The test pattern is much brighter.
  await until('the last frame is shown', async () => {
    const shown = await frameOf(viewerUrl());
    return difference(shown, Buffer.alloc(shown.length, 22)) > 40;
  });
  await viewer.stop();
  expect(await decodeErrors(recorded)).toBe('');
}, 120_000);

it('a stream begins with its slate, and its encoder takes over without a disconnect', async () => {
  await admin.call(endpoints.updateSlates, { enabled: false, title: '即将开始' });
  const callbacks = await startCallbackTarget();
  await admin.call(endpoints.applyHooks, { all: true, target: callbacks.url, opaque: 'slate' });
  const sink = await startRtmpSink();
  await forward('forwarding-sink', `${sink.url}/live`, { stream: 'soon' });
  await admin.call(endpoints.startSlate, { stream: 'soon', width: 640, height: 360, longestMinutes: 2 });
  await until('the stream has begun', async () => (await slates()).starts.some(({ state }) => state === 'on-air'));
  expect(await liveStreams()).toMatchObject([{ stream: 'soon' }]);
  const file = join(folder, 'soon.flv');
  const viewer = runFfmpeg(['-i', viewerUrl('soon'), '-c', 'copy', '-y', file]);
  await viewer.sending(60);
  await until('the target receives media', () => (sink.arrived[0]?.mediaCount ?? 0) > 20);

  const encoder = await publish('1280x720', 'soon');
  await until('the encoder is on the air', async () => (await slates()).starts.length === 0);
  await viewer.sending(150);
  const actions = () => callbacks.received.map(({ body }) => (body as { action: string }).action);
  await until('the slate is reported as ended', () => actions().includes('on_unpublish'));
  expect(actions()).toEqual(['on_publish', 'on_publish', 'on_unpublish']);
  await encoder.stop('gracefully');
  await until('the stream has ended', async () => (await liveStreams()).length === 0);
  await viewer.stop();
  expect(await decodeErrors(file)).toBe('');
  expect([...(await decodedSizes(file))]).toEqual(['640x360', '1280x720']);
  expect(sink.arrived).toHaveLength(1);

  await admin.call(endpoints.startSlate, { stream: 'soon', width: 640, height: 360 });
  await until('it has begun again', async () => (await slates()).starts.some(({ state }) => state === 'on-air'));
  await product.kill('platform');
  await answersAgain(product);
  await until('the control plane lists it again', async () =>
    (await slates()).starts.some(({ state }) => state === 'on-air'),
  );
  await admin.call(endpoints.stopSlate, { stream: 'soon' });
  await until('it has ended', async () => (await liveStreams()).length === 0);
  await sink.close();
  await admin.call(endpoints.applyHooks, { all: false, target: callbacks.url, opaque: '' });
  await callbacks.close();
}, 180_000);

it('an encoded forward has one SPS through slates and a changed video size, a copied one has several', async () => {
  const receive = async (name: string) => {
    const [port, file] = [await freePort(), join(folder, `${name}.flv`)];
    const target = runFfmpeg(['-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/key`, '-c', 'copy', '-y', file]);
    return { target, file, server: `rtmp://127.0.0.1:${port}/live` };
  };
  let encoder = await publish();
  await ready();
  const [encoded, copied] = await Promise.all([receive('encoded'), receive('copied')]);
  await forward('forwarding-encoded', encoded.server, { stream: 'source', encodeKbps: 1_000 });
  await forward('forwarding-copied', copied.server, { stream: 'source' });
  await Promise.all([encoded.target.sending(50), copied.target.sending(50)]);
  await encoder.stop('abruptly');
  await onAir(3_000);
  encoder = await publish('320x180');
  await ready();
  await Promise.all([encoded.target.sending(250), copied.target.sending(250)]);
  await admin.call(endpoints.updateSlates, { enabled: false });
  await encoder.stop('gracefully');
  await Promise.all([encoded.target.exited, copied.target.exited]);
  expect(configurationsOf(copied.file).length).toBeGreaterThan(1);
  expect(configurationsOf(encoded.file)).toHaveLength(1);
  expect([...(await decodedSizes(encoded.file))]).toEqual(['640x360']);
  expect(await decodeErrors(encoded.file)).toBe('');
}, 180_000);

function configurationsOf(file: string): string[] {
  const bytes = readFileSync(file);
  const found = new Set<string>();
  const headerBytes = 13;
  for (let at = headerBytes; at + 11 <= bytes.length; ) {
    const size = bytes.readUIntBE(at + 1, 3);
    const body = bytes.subarray(at + 11, at + 11 + size);
    if (bytes[at] === 9 && (body[0]! & 15) === 7 && body[1] === 0) found.add(body.subarray(5).toString('hex'));
    at += 11 + size + 4;
  }
  return [...found];
}
