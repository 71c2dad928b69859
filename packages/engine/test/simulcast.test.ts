// A publisher that sends several video layers, although the answer accepts one.
import { splitAnnexB } from '@srs-stack/media/codecs/nal-units.ts';
import { packetizeH264 } from '@srs-stack/media/protocols/rtp/h264-packetizer.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RecordingReader } from '../src/testing/recorders.ts';
import { collect } from './bridge-media.ts';
import { type LitePublisher, publishLite } from './lite-publisher.ts';
import { startRtc } from './rtc-rig.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
const frameMs = 40;
const framesPerGop = 10;

interface Layer {
  readonly ssrc: number;
  readonly frames: readonly Buffer[][];
  readonly firstTimestamp: number;
  sequence: number;
}

async function encodeLayer(ssrc: number, size: string, frames: number): Promise<Layer> {
  const input = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`, '-frames:v', String(frames)];
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', String(framesPerGop)];
  const form = ['-x264-params', 'aud=1:repeat-headers=1:bframes=0', '-f', 'h264', '-'];
  const units = splitAnnexB(await collect('ffmpeg', ['-v', 'error', ...input, ...encoder, ...form]));
  const split: Buffer[][] = [];
  for (const unit of units) {
    if ((unit[0]! & 0x1f) === 9) split.push([]);
    else split.at(-1)!.push(unit);
  }
  return { ssrc, frames: split, firstTimestamp: ssrc * 1_000_000, sequence: ssrc * 10_000 };
}

function packetsOf(layer: Layer, index: number, type: number): Buffer[] {
  const payloads = packetizeH264(layer.frames[index]!, 1_100);
  return payloads.map((payload, at) => {
    const header = Buffer.alloc(12);
    header[0] = 0x80;
    header[1] = type | (at === payloads.length - 1 ? 0x80 : 0);
    header.writeUInt16BE(layer.sequence++ & 0xffff, 2);
    header.writeUInt32BE((layer.firstTimestamp + index * frameMs * 90) >>> 0, 4);
    header.writeUInt32BE(layer.ssrc, 8);
    return Buffer.concat([header, payload]);
  });
}

async function start(more: readonly string[]) {
  const clock = { nowMs: 0 };
  const rig = await startRtc({ options: { clock: () => clock.nowMs } });
  const publisher = await publishLite(rig, more);
  onTestFinished(async () => {
    publisher.close();
    await rig.close();
  });
  await vi.waitUntil(() => rig.hub.isPublished(key));
  const reader = new RecordingReader();
  rig.hub.attach(key, reader);
  let sentBytes = rig.hub.totals().receivedBytes;
  /** Sends one frame of each layer, in order. Resolves when all packets have arrived. */
  const send = async (layers: readonly Layer[], index: number, { videoType, session }: LitePublisher = publisher) => {
    for (const packet of layers.flatMap((layer) => packetsOf(layer, index, videoType))) {
      expect(session.send(packet)).toBe(true);
      sentBytes += packet.length;
    }
    await vi.waitUntil(() => rig.hub.totals().receivedBytes === sentBytes, { interval: 1, timeout: 30_000 });
    clock.nowMs += frameMs;
  };
  const sizes = () => reader.packets.map(({ track }) => (track as VideoTrack).width);
  return { reader, send, sizes };
}

it.each([
  ['names its layers', ['a=rid:0 send', 'a=rid:1 send', 'a=simulcast:send 0;1']],
  ['groups its sources', ['a=ssrc-group:SIM 1 2']],
])('the largest layer is used when the offer %s, and the next one when it is silent', async (_name, more) => {
  const frames = 90;
  const [small, large] = await Promise.all([encodeLayer(1, '160x96', frames), encodeLayer(2, '640x352', frames)]);
  const { reader, send, sizes } = await start(more);
  for (let index = 0; index < 30; index++) await send([small, large], index);
  expect(new Set(sizes())).toEqual(new Set([640]));
  expect(reader.packets.length).toBeGreaterThanOrEqual(30 - 1); // the last frame may still be incomplete
  for (let index = 30; index < frames; index++) await send([small], index);
  const changes = sizes().filter((width, index, all) => width !== all[index - 1]);
  expect(changes).toEqual([640, 160]);
  const steps = reader.times().map((time, index, all) => time - (all[index - 1] ?? time - frameMs));
  const [longest = 0] = [...steps].sort((a, b) => b - a);
  // Times are monotonic. The only gap consists of the silence and the wait for a keyframe.
  expect(Math.min(...steps)).toBeGreaterThan(0);
  expect(longest).toBeLessThan(1_500 + (framesPerGop + 2) * frameMs);
});

it('the first layer is kept when the offer announces none', async () => {
  const [small, large] = await Promise.all([encodeLayer(1, '160x96', 30), encodeLayer(2, '640x352', 30)]);
  const { reader, send, sizes } = await start([]);
  for (let index = 0; index < 30; index++) await send([large, small], index);
  expect(new Set(sizes())).toEqual(new Set([640]));
  expect(
    new Set(
      reader
        .times()
        .slice(1)
        .map((time, index) => time - reader.times()[index]!),
    ),
  ).toEqual(new Set([frameMs]));
});
