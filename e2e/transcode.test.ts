// Live transcodes, verified by ffprobe: codec, profile, size, bitrate, channels, watermark, and the selected source stream.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, transcodeDefaults } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { clipOf } from './support/clips.ts';
import { publishClip, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type ProbedPacket, packetsOf, probe, streamOf } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { ffmpegsWith, transcodeTask, untilState } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-transcode-'));
  product = await startProduct();
  admin = await setUp(product, 'transcode password');
});
afterAll(async () => {
  await product.remove();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  await admin.call(endpoints.applyTranscode, { all: false });
  await stopAllFfmpeg();
});

const config = () => ({
  ...transcodeDefaults,
  all: true,
  server: `rtmp://127.0.0.1:${product.ports.rtmp}/live/`,
  secret: `livestream-trans?${admin.publishQuery}`,
});
/** Mean bitrate without the first `skipSeconds`, in which the encoder fills its buffer. */
function steadyKbps(packets: readonly ProbedPacket[], skipSeconds: number): number {
  const start = Number(packets[0]!.dts_time) + skipSeconds;
  const steady = packets.filter(({ dts_time }) => Number(dts_time) >= start);
  const seconds = Number(steady.at(-1)!.dts_time) - start;
  return (steady.slice(0, -1).reduce((sum, { size }) => sum + Number(size), 0) * 8) / 1_000 / seconds;
}

const noise = () =>
  clipOf([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25,noise=alls=30:allf=t'],
    ...['-f', 'lavfi', '-i', 'anoisesrc=sample_rate=48000:amplitude=0.3,aformat=channel_layouts=stereo'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-b:v', '4M'],
    ...['-c:a', 'aac', '-b:a', '128k', '-t', '8'],
  ]);

const flatFps = 10;
/** Large frames that need almost no encoding. */
const flat = () =>
  clipOf([
    ...['-f', 'lavfi', '-i', `color=0x202020:size=1920x1080:rate=${flatFps}`, '-t', '8'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', String(flatFps)],
  ]);
const whiteMark = () =>
  execFileSync('ffmpeg', [
    ...['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', 'color=white:size=400x200', '-frames:v', '1'],
    ...['-c:v', 'png', '-f', 'image2pipe', 'pipe:1'],
  ]);
const steadyFps = (frames: readonly ProbedPacket[]) =>
  (frames.length - 1) / (Number(frames.at(-1)!.pts_time) - Number(frames[0]!.pts_time));

function brightnessOf(file: string, width: number): (x: number, y: number) => number {
  const args = ['-nostdin', '-loglevel', 'error', '-i', file, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray'];
  const pixels = execFileSync('ffmpeg', [...args, 'pipe:1'], { maxBuffer: 16 * 1024 ** 2 });
  return (x, y) => pixels[y * width + x]!;
}

describe('transcode', () => {
  it('creates a stream of the given codecs, bitrate and channels', async () => {
    await publishClip(product.rtmpUrl(`livestream?${admin.publishQuery}`), { clip: noise() }).sending(60);
    await admin.call(endpoints.applyTranscode, {
      ...config(),
      vbitrate: 800,
      abitrate: 48,
      achannels: 1,
      vprofile: 'main',
      vpreset: 'veryfast',
    });
    const started = await until('FFmpeg has logged something', async () => {
      const task = await transcodeTask(admin);
      return task.frame.log === '' ? undefined : task;
    });
    expect(started).toMatchObject({
      enabled: true,
      input: 'live/livestream',
      output: `${config().server}${config().secret}`,
    });
    expect(started.uuid).not.toBe('');
    expect(started.frame.update).not.toBe('');
    await untilState('running', () => transcodeTask(admin));
    const { received } = await recordSeconds(product.rtmpUrl('livestream-trans'), folder, 12);
    expect(streamOf(received, 'video')).toMatchObject({ codec_name: 'h264', profile: 'Main', width: 640, height: 360 });
    expect(streamOf(received, 'audio')).toMatchObject({ codec_name: 'aac', channels: 1 });
    const video = steadyKbps(packetsOf(received, 'video'), 4);
    expect(video).toBeGreaterThan(800 * 0.9);
    expect(video).toBeLessThan(800 * 1.1);
    const audio = steadyKbps(packetsOf(received, 'audio'), 4);
    expect(audio).toBeGreaterThan(48 * 0.9);
    expect(audio).toBeLessThan(48 * 1.1);
  });

  it('scales the video down, at the frame rate of its source, with a watermark in its corner', async () => {
    await publishClip(product.rtmpUrl(`flat?${admin.publishQuery}`), { clip: flat() }).sending(20);
    const { id } = await admin.call(endpoints.uploadWatermark, { data: whiteMark().toString('base64') });
    const mark = { image: id, corner: 'top-right' as const, marginPercent: 5, widthPercent: 20, opacityPercent: 50 };
    const applied = { ...config(), vpreset: 'ultrafast' };
    const picture = { height: 720, fps: 0, keyframeSeconds: 1, watermark: mark };
    await admin.call(endpoints.applyTranscode, { ...applied, picture, secret: `smaller?${admin.publishQuery}` });
    await untilState('running', () => transcodeTask(admin));
    const { file, received } = await recordSeconds(product.rtmpUrl('smaller'), folder, 4);
    expect(streamOf(received, 'video')).toMatchObject({ width: 1280, height: 720 });
    const frames = packetsOf(received, 'video');
    expect(steadyFps(frames)).toBeCloseTo(flatFps, 0);
    const keys = frames.filter(({ flags }) => flags.startsWith('K')).map(({ pts_time }) => Number(pts_time));
    for (const [index, at] of keys.slice(1).entries()) expect(at - keys[index]!).toBeCloseTo(1, 1);
    // The watermark is half-transparent white on dark grey: 256 × 128 pixels, 64 pixels from the right and top edge.
    const at = brightnessOf(file, 1280);
    expect(at(1088, 128)).toBeGreaterThan(110);
    expect(at(1088, 128)).toBeLessThan(190);
    expect(at(970, 74)).toBeGreaterThan(110);
    for (const [x, y] of [
      [945, 128],
      [1231, 128],
      [1088, 49],
      [1088, 207],
      [100, 100],
    ] as const)
      expect(at(x, y), `${x}, ${y}`).toBeLessThan(80);

    const larger = { height: 2160, fps: 0, keyframeSeconds: 2 };
    await admin.call(endpoints.applyTranscode, { ...applied, picture: larger, secret: `larger?${admin.publishQuery}` });
    await until('the new output is live', async () => {
      const { streams } = await admin.call(endpoints.queryStreams, {});
      return streams.some(({ stream }) => stream === 'larger');
    });
    const kept = await probe(product.rtmpUrl('larger'), { seconds: 1 });
    expect(streamOf(kept, 'video')).toMatchObject({ width: 1920, height: 1080 });
  });

  it('uses the newest stream, never its own output, and follows a publisher that returns', async () => {
    await admin.call(endpoints.applyTranscode, { ...config(), vpreset: 'ultrafast' });
    await untilState('waiting', () => transcodeTask(admin));
    const url = product.rtmpUrl(`again?${admin.publishQuery}`);
    const first = publishTestSource(url, { video: {}, audio: {} });
    expect(await untilState('running', () => transcodeTask(admin))).toMatchObject({ input: 'live/again' });
    await until('its output is live', async () => {
      const { streams } = await admin.call(endpoints.queryStreams, {});
      return streams.some(({ stream }) => stream === 'livestream-trans');
    });
    process.kill((await transcodeTask(admin)).pid, 'SIGKILL');
    const restarted = await until('it runs again', async () => {
      const task = await transcodeTask(admin);
      return task.restarts > 0 && task.state === 'running' ? task : undefined;
    });
    expect(restarted.input).toBe('live/again');
    await first.stop('abruptly');
    await untilState('waiting', () => transcodeTask(admin));
    publishTestSource(url, { video: {}, audio: {} });
    expect(await untilState('running', () => transcodeTask(admin))).toMatchObject({ input: 'live/again' });
    await admin.call(endpoints.applyTranscode, { ...config(), all: false });
    expect(await transcodeTask(admin)).toMatchObject({ enabled: false, state: 'stopped', input: '', output: '' });
    expect(ffmpegsWith(`${config().server}livestream-trans`)).toEqual([]);
  });
});
