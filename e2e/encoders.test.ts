// Typical publishers: B-frames, unusual audio, a single track, a changed resolution, an encoder other than FFmpeg.
// FFmpeg plays each stream and must decode everything.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishClip, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodedSizes, decodeErrors, isMonotonic, packetsOf, streamOf } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { type TestSource, testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-encoders-'));
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await product?.remove();
  rmSync(folder, { recursive: true });
});

const publishUrl = (stream: string) => product.rtmpUrl(`${stream}?${admin.publishQuery}`);

async function play(stream: string, seconds: number) {
  const urls = [`${product.url}/live/${stream}.flv`, `${product.url}/live/${stream}.m3u8`];
  for (const url of urls) await until(`${url} is there`, async () => (await fetch(url, { method: 'HEAD' })).ok);
  return Promise.all(urls.map((url) => recordSeconds(url, folder, seconds)));
}

interface Case {
  readonly name: string;
  readonly source: TestSource;
  readonly streams: readonly object[];
}

const video = { codec_type: 'video', codec_name: 'h264', width: 640, height: 360 };
const cases: Case[] = [
  {
    name: 'b-frames',
    source: { video: { encoder: ['-preset', 'veryfast', '-bf', '3'] }, audio: {} },
    streams: [video, { codec_type: 'audio', codec_name: 'aac', channels: 2 }],
  },
  {
    name: 'surround-48000',
    source: { video: {}, audio: { layout: '5.1', sampleRate: 48_000 } },
    streams: [video, { codec_type: 'audio', channels: 6, sample_rate: '48000' }],
  },
  {
    name: 'mono-44100',
    source: { video: {}, audio: { layout: 'mono', sampleRate: 44_100 } },
    streams: [video, { codec_type: 'audio', channels: 1, sample_rate: '44100' }],
  },
  { name: 'audio-only', source: { audio: {} }, streams: [{ codec_type: 'audio', codec_name: 'aac', channels: 2 }] },
  { name: 'video-only', source: { video: {} }, streams: [video] },
];

test.each(cases)(
  '$name is played over HTTP-FLV and HLS with only its own tracks',
  async ({ name, source, streams }) => {
    publishTestSource(publishUrl(name), source);
    for (const { received, file } of await play(name, 3)) {
      const byKind = [...received.streams].sort((a, b) => b.codec_type.localeCompare(a.codec_type));
      expect(byKind).toMatchObject(streams);
      expect(byKind).toHaveLength(streams.length);
      for (const kind of ['video', 'audio'] as const) expect(isMonotonic(packetsOf(received, kind))).toBe(true);
      expect(await decodeErrors(file)).toBe('');
    }
  },
);

test('B-frames keep their presentation order', async () => {
  publishTestSource(publishUrl('reordered'), { video: { encoder: ['-preset', 'veryfast', '-bf', '3'] } });
  for (const { received } of await play('reordered', 3)) {
    const frames = packetsOf(received, 'video');
    expect(frames.some(({ pts_time, dts_time }) => Number(pts_time) > Number(dts_time))).toBe(true);
    expect(frames.every(({ pts_time, dts_time }) => Number(pts_time) >= Number(dts_time))).toBe(true);
  }
});

test('connected viewers see the new video after its size changed during the stream', async () => {
  const file = await makeTwoSizes();
  // The clip is repeated, so every viewer gets both resolutions.
  publishClip(publishUrl('two-sizes'), { clip: file });
  const url = `${product.url}/live/two-sizes.flv`;
  await until('the stream is there', async () => (await fetch(url, { method: 'HEAD' })).ok);
  const recording = await recordSeconds(url, folder, 2 * secondsPerSize + 1);
  expect(await decodedSizes(recording.file)).toEqual(new Set(['640x360', '320x240']));
});

const secondsPerSize = 4;

/** Creates an FLV file whose second half has another resolution: the tags of a second file follow the tags of the first. */
async function makeTwoSizes(): Promise<string> {
  const encode = async (size: string, offsetSeconds: number) => {
    const path = join(folder, `${size}.flv`);
    const args = (await testSourceArguments({ video: { size } })).filter((argument) => argument !== '-re');
    const shift = ['-t', String(secondsPerSize), '-output_ts_offset', String(offsetSeconds)];
    const run = runFfmpeg([...args, ...shift, '-f', 'flv', '-y', path]);
    expect(await run.exited, run.log()).toBe(0);
    return readFileSync(path);
  };
  const flvHeaderBytes = 13;
  const parts = [await encode('640x360', 0), (await encode('320x240', secondsPerSize)).subarray(flvHeaderBytes)];
  const joined = join(folder, 'two-sizes-source.flv');
  writeFileSync(joined, Buffer.concat(parts));
  return joined;
}

test('GStreamer publishes with rtmp2sink', async () => {
  const pipeline = [
    ...['videotestsrc', 'is-live=true', '!', 'video/x-raw,width=640,height=360,framerate=25/1'],
    ...['!', 'x264enc', 'tune=zerolatency', 'speed-preset=ultrafast', 'key-int-max=25', '!', 'mux.'],
    ...['audiotestsrc', 'is-live=true', '!', 'audioconvert', '!', 'audio/x-raw,rate=48000,channels=2'],
    ...['!', 'voaacenc', '!', 'aacparse', '!', 'mux.'],
    // Time that the muxer waits for the slower track, nanoseconds. A shorter wait would compress the timestamps.
    ...['flvmux', 'name=mux', 'streamable=true', 'latency=1000000000'],
    ...['!', 'rtmp2sink', `location=${publishUrl('gstreamer')}`],
  ];
  const encoder = spawn('gst-launch-1.0', ['--quiet', ...pipeline], { stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    for (const { received, file } of await play('gstreamer', 3)) {
      expect(streamOf(received, 'video')).toMatchObject({ codec_name: 'h264', width: 640, height: 360 });
      expect(streamOf(received, 'audio')).toMatchObject({ codec_name: 'aac', sample_rate: '48000' });
      expect(await decodeErrors(file)).toBe('');
    }
  } finally {
    encoder.kill('SIGKILL');
  }
});
