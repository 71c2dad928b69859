// H.264 and HEVC as cameras, drones and phones send them over RTMP: start codes, no sequence header, or one message per slice or NAL unit.
// FFmpeg decodes every output, and the frames must equal the sent frames.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  writeCall,
  writeHello,
  writeMessage,
  writePublishCalls,
} from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lowLatencySuffix } from '../src/egress/low-latency-hls/part-names.ts';
import { createEngine, type Engine } from '../src/index.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { type Codec, hashesOf, makeNalClip, messagesOf, type NalClip, type Sending } from './nal-clip.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { testConfig, until } from './rtmp-server.ts';

let folder: string;
let clips: Record<Codec, NalClip>;
let engine: Engine;
let http: Server;
let base: string;
let rtmpPort: number;
let ended: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unusual-video-'));
  const [h264, h265] = await Promise.all([
    makeNalClip('h264', join(folder, 'clip.h264')),
    makeNalClip('h265', join(folder, 'clip.h265')),
  ]);
  clips = { h264, h265 };
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  ended = 0;
  const path = await mkdtemp(join(folder, 'hls-'));
  const hls = { ...testConfig.hls, enabled: true, lowLatency: true, path, fragmentSeconds: 1 };
  engine = createEngine(
    { ...testConfig, hls },
    {
      log: recordingLog(),
      isValidStream: () => true,
      authorizePublish: async () => ({ allowed: true }),
      authorizePlay: async () => ({ allowed: true }),
      onUnpublish: () => ended++,
      onStop: () => {},
      onHlsSegment: () => {},
    },
  );
  ({ rtmpPort } = await engine.start());
  http = createServer((request, response) => {
    if (!engine.handleRequest(request, response)) response.writeHead(404).end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}/live/s`;
});

afterEach(async () => {
  await engine.close();
  http.closeAllConnections();
  http.close();
});

/** Sends the first second, starts low-latency HLS, and sends the rest. */
async function publish(clip: NalClip, sending: Sending): Promise<RtmpPeer> {
  const peer = new RtmpPeer(rtmpPort);
  const messages = messagesOf(clip, sending);
  const send = (some: typeof messages): void =>
    peer.send(
      ...some.map(({ type, timestampMs, body }) =>
        writeMessage({ typeId: type, streamId: 1, timestamp: timestampMs, payload: body }, 4),
      ),
    );
  peer.send(writeHello(), writePublishCalls('s'));
  send(messages.filter(({ timestampMs }) => timestampMs < 1000));
  await until(() => framesOf() >= 24);
  const requested = once(http, 'request');
  const pending = fetch(`${base}${lowLatencySuffix}.m3u8`);
  await requested;
  send(messages.filter(({ timestampMs }) => timestampMs >= 1000));
  expect((await pending).status).toBe(200);
  return peer;
}

const framesOf = (): number => engine.streams()[0]?.frames ?? 0;

const usual: Sending = { header: 'record', units: 'lengths', messages: 'picture', inBand: false };
const sendings: [name: string, Sending][] = [
  ['the usual way, four slices in a message', usual],
  ['with start codes', { ...usual, units: 'start codes' }],
  [
    'with start codes and parameter sets in the frames only',
    { ...usual, units: 'start codes', header: 'none', inBand: true },
  ],
  ['with start codes in the sequence header too', { ...usual, units: 'start codes', header: 'start codes' }],
  ['with lengths and parameter sets in the frames only', { ...usual, header: 'none', inBand: true }],
  ['with a message for each slice', { ...usual, messages: 'slice' }],
  ['with a message for each NAL unit', { ...usual, messages: 'unit', inBand: true }],
  [
    'with a message for each NAL unit, start codes, no sequence header',
    { header: 'none', units: 'start codes', messages: 'unit', inBand: true },
  ],
];
/**
 * Number of compared frames of a live URL. Lower than the number of received frames, because a decoder outputs its last frames only at the
 * end.
 */
const judged = 60;

describe.each(['h264', 'h265'] as const)('%s', (codec) => {
  it.each(sendings)('%s is played unchanged', async (_name, sending) => {
    const clip = clips[codec];
    const all = clip.hashes.length;
    expect(all).toBe(100);
    // FFmpeg before 6.1 cannot read HEVC in FLV.
    const flv =
      codec === 'h264'
        ? hashesOf(`rtmp://127.0.0.1:${rtmpPort}/live/s`, judged, ['-analyzeduration', '500000'])
        : undefined;
    if (codec === 'h264') await until(() => engine.clients().length === 1);
    const peer = await publish(clip, sending);
    await until(() => framesOf() >= all - 1);
    const [hls, parts] = await Promise.all(
      ['.m3u8', `${lowLatencySuffix}.m3u8`].map((suffix) =>
        hashesOf(`${base}${suffix}`, judged, ['-live_start_index', '0']),
      ),
    );
    const sent = clip.hashes.slice(0, judged);
    expect(hls).toEqual(sent);
    expect(parts).toEqual(sent);
    if (flv) expect(await flv).toEqual(sent);
    peer.send(writeCall('FCUnpublish', 6, null, 's'));
    await until(() => ended === 1);
    await peer.close();
  });
});
