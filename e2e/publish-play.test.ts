// FFmpeg publishes a clip unchanged in real time. The test records the stream over RTMP, HTTP-FLV, WebSocket-FLV and HLS.
// FFmpeg's tools compare the recordings with the clip.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { framesOfClip } from './support/clips.ts';
import { publishClip, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors, decodeFrames, isMonotonic, type Probe, packetsOf, probe, streamOf } from './support/ffprobe.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { shortClip } from './support/test-source.ts';
import { until } from './support/until.ts';

/** Frames published before a late viewer joins. The first GOP of the clip has 250 frames. */
const lateJoinFrames = 100;
/** Bytes collected over WebSocket: about two seconds of the clip. */
const webSocketBytes = 1024 * 1024;
/** Frames that may be missing at the end: an audio decoder or a stopped recorder can hold them back. */
const audioTailPackets = 12;
/** Allowed error of the distance of two frames, milliseconds: FLV rounds both timestamps to milliseconds. HLS adds no rounding. */
const timestampRoundingMs = 2;

let product: Product;
let admin: Admin;
let folder: string;
let source: Probe;

interface Recording {
  readonly file: string;
  readonly received: Probe;
}
const recordings = new Map<string, Recording>();
let lateJoin: Probe;
let webSocketPlay: Probe;

async function record(
  name: string,
  url: string,
  format: 'flv' | 'mpegts',
  input: readonly string[] = [],
): Promise<void> {
  const file = join(folder, `${name}.${format}`);
  const recorder = runFfmpeg([...input, '-i', url, '-c', 'copy', '-f', format, '-y', file]);
  await recorder.sending(packetsOf(source, 'video').length);
  await recorder.stop();
  recordings.set(name, { file, received: await probe(file) });
}

async function collectWebSocket(url: string, file: string): Promise<void> {
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.onerror = () => reject(new Error(`no WebSocket at ${url}`));
    socket.onmessage = ({ data }) => {
      chunks.push(Buffer.from(data as ArrayBuffer));
      if (chunks.reduce((sum, chunk) => sum + chunk.length, 0) >= webSocketBytes) resolve();
    };
  });
  socket.close();
  writeFileSync(file, Buffer.concat(chunks));
}

const flvUrl = () => `${product.url}/live/clip.flv`;
const hlsUrl = () => `${product.url}/live/clip.m3u8`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-play-'));
  product = await startProduct({}, ['npm', 'start']);
  admin = await setUp(product, 'a long first password');
  source = await probe(shortClip);

  const waiting = record('RTMP', product.rtmpUrl('clip'), 'flv');
  await until('the RTMP player is waiting', async () => (await mediaServerClients(product)).length === 1);
  const publisher = publishClip(product.rtmpUrl(`clip?${admin.publishQuery}`), { times: 1 });
  await until('HTTP-FLV is there', async () => (await fetch(flvUrl(), { method: 'HEAD' })).ok);
  // Both viewers join within the first GOP. The GOP cache then starts with the first frame of the clip.
  const webSocketFile = join(folder, 'websocket.flv');
  const joined = [record('HTTP-FLV', flvUrl(), 'flv'), collectWebSocket(flvUrl().replace('http', 'ws'), webSocketFile)];
  await publisher.sending(lateJoinFrames);
  lateJoin = await probe(flvUrl(), { seconds: 1 });
  await until('the playlist has a segment', async () => (await fetch(hlsUrl())).ok);
  await Promise.all([waiting, ...joined, record('HLS', hlsUrl(), 'mpegts', ['-live_start_index', '0'])]);
  webSocketPlay = await probe(webSocketFile);
  expect(await publisher.exited, publisher.log()).toBe(0);
});

afterAll(async () => {
  await stopAllFfmpeg();
  await product?.remove();
  rmSync(folder, { recursive: true });
});

describe.each(['HTTP-FLV', 'RTMP', 'HLS'])('played over %s', (name) => {
  const played = () => recordings.get(name)!;

  test('every video frame arrives, in decoding order', () => {
    const frames = packetsOf(played().received, 'video');
    expect(frames).toHaveLength(packetsOf(source, 'video').length);
    expect(isMonotonic(frames)).toBe(true);
  });

  test('audio arrives in order and without gaps', () => {
    const audio = packetsOf(played().received, 'audio');
    expect(audio.length).toBeGreaterThanOrEqual(packetsOf(source, 'audio').length - audioTailPackets);
    expect(isMonotonic(audio)).toBe(true);
    expect(longestStepMs(audio)).toBeLessThanOrEqual(longestStepMs(packetsOf(source, 'audio')) + timestampRoundingMs);
  });

  test('the frames keep their intervals', () => {
    const frames = packetsOf(played().received, 'video');
    expect(Math.abs(spanMs(frames) - spanMs(packetsOf(source, 'video')))).toBeLessThanOrEqual(timestampRoundingMs);
  });

  test('codecs, video size and channels are those of the source', () => {
    const facts = (from: Probe) => {
      const [video, audio] = [streamOf(from, 'video'), streamOf(from, 'audio')];
      return [
        video.codec_name,
        video.profile,
        video.width,
        video.height,
        audio.codec_name,
        audio.sample_rate,
        audio.channels,
      ];
    };
    expect(facts(played().received)).toEqual(facts(source));
    expect(played().received.streams).toHaveLength(2);
  });
});

describe.each(['HTTP-FLV', 'RTMP'])('played over %s', (name) => {
  test('codec configuration and every payload are the bytes of the source', () => {
    const { received } = recordings.get(name)!;
    expect(streamOf(received, 'video').extradata_hash).toBe(streamOf(source, 'video').extradata_hash);
    expect(streamOf(received, 'audio').extradata_hash).toBe(streamOf(source, 'audio').extradata_hash);
    const hashes = (from: Probe, kind: 'video' | 'audio') => packetsOf(from, kind).map((packet) => packet.data_hash);
    expect(hashes(received, 'video')).toEqual(hashes(source, 'video'));
    const audio = hashes(received, 'audio');
    expect(audio).toEqual(hashes(source, 'audio').slice(0, audio.length));
  });

  test('it decodes without errors', async () => {
    expect(await decodeErrors(recordings.get(name)!.file)).toBe('');
  });
});

test('HLS decodes without errors, to the frames of the source', async () => {
  const { hashes, errors } = await decodeFrames(recordings.get('HLS')!.file);
  expect(errors).toBe('');
  expect(hashes).toEqual(await framesOfClip(shortClip));
});

test('a viewer that joins in the middle of a GOP starts with its keyframe', () => {
  const frames = packetsOf(lateJoin, 'video');
  expect(frames[0]!.flags).toContain('K');
  expect(streamOf(lateJoin, 'audio').codec_name).toBe('aac');
});

test('FLV over WebSocket is the same FLV', () => {
  expect(webSocketPlay.streams.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264']);
  const frames = packetsOf(webSocketPlay, 'video');
  expect(frames.length).toBeGreaterThan(0);
  expect(frames[0]!.data_hash).toBe(packetsOf(source, 'video')[0]!.data_hash);
});

test('no viewer and no publisher remains', async () => {
  await until('all clients are gone', async () => (await mediaServerClients(product)).length === 0);
  expect((await admin.call(endpoints.queryLive, {})).streams).toEqual([]);
});

function spanMs(packets: Probe['packets']): number {
  return (Number(packets.at(-1)!.dts_time) - Number(packets[0]!.dts_time)) * 1000;
}

function longestStepMs(packets: Probe['packets']): number {
  const steps = packets.slice(1).map((packet, index) => Number(packet.dts_time) - Number(packets[index]!.dts_time));
  return Math.max(...steps) * 1000;
}
