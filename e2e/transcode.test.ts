// Live transcode, judged by ffprobe: codec, profile, size of the bitrate, channels; and whose stream it takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, transcodeDefaults } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type ProbedPacket, packetsOf, streamOf } from './support/ffprobe.ts';
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
/** Mean over the packets behind the first seconds, in which the encoder still fills its buffer. */
function steadyKbps(packets: readonly ProbedPacket[], skipSeconds: number): number {
  const start = Number(packets[0]!.dts_time) + skipSeconds;
  const steady = packets.filter(({ dts_time }) => Number(dts_time) >= start);
  const seconds = Number(steady.at(-1)!.dts_time) - start;
  return (steady.slice(0, -1).reduce((sum, { size }) => sum + Number(size), 0) * 8) / 1_000 / seconds;
}

/** A picture with as much detail as the bitrate allows: an encoder spends all it is given. */
const publishNoise = (url: string) =>
  runFfmpeg([
    ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25,noise=alls=30:allf=t'],
    ...['-re', '-f', 'lavfi', '-i', 'anoisesrc=sample_rate=48000:amplitude=0.3,aformat=channel_layouts=stereo'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-b:v', '4M'],
    ...['-c:a', 'aac', '-b:a', '128k', '-f', 'flv', url],
  ]);

describe('transcode', () => {
  it('makes a stream of the given codecs, bitrate and channels', async () => {
    await publishNoise(product.rtmpUrl(`livestream?${admin.publishQuery}`)).sending(60);
    await admin.call(endpoints.applyTranscode, {
      ...config(),
      vbitrate: 800,
      abitrate: 48,
      achannels: 1,
      vprofile: 'main',
      vpreset: 'veryfast',
    });
    const started = await until('FFmpeg has said something', async () => {
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

  it('takes the newest stream, never its own output, and follows a publisher that returns', async () => {
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
