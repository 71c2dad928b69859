// Real encoders publish a clip over RTMP. The packets that readers of the hub receive are compared with the clip.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Packet } from '@srs-stack/media/packet.ts';
import { findDigest, handshakePartBytes } from '@srs-stack/media/protocols/rtmp/handshake-digest.ts';
import {
  writeCall,
  writeHello,
  writeMessage,
  writePublishCalls,
} from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { audioArgs, makeClip, packetsOf, videoArgs } from './clips.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { ffmpeg, type RtmpServer, start, startRtmpServer, until } from './rtmp-server.ts';

let server: RtmpServer;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtmp-publish-'));
  server = await startRtmpServer();
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const keyOf = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });

function collect(stream: string): Packet[] {
  const packets: Packet[] = [];
  server.hub.attach(keyOf(stream), { name: 'test', onPacket: (packet) => packets.push(packet), onEnd: () => {} });
  return packets;
}

const hashOf = (payload: Buffer): string => `CRC32:${crc32(payload).toString(16).padStart(8, '0')}`;

const clips: [name: string, parts: (typeof videoArgs)[]][] = [
  ['B-frames and stereo AAC at 44.1 kHz', [videoArgs, audioArgs('stereo', 44_100)]],
  ['B-frames and 5.1 AAC at 48 kHz', [videoArgs, audioArgs('5.1', 48_000)]],
  ['mono AAC at 48 kHz, audio only', [audioArgs('mono', 48_000)]],
  ['video only', [videoArgs]],
];

describe('FFmpeg publishes', () => {
  it.each(clips)('%s: every frame arrives as it was sent', async (_name, parts) => {
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, parts, 3);
    const sent = await packetsOf(clip);
    const packets = collect('s');
    const { code, stderr } = await ffmpeg('-i', clip, '-c', 'copy', '-f', 'flv', `${server.url}/live/s`).done;
    expect([code, stderr]).toEqual([0, '']);
    await until(() => server.ended.length === 1);

    expect(packets.map(({ track, payload }) => [track.kind, hashOf(payload)])).toEqual(
      sent.map(({ kind, hash }) => [kind, hash]),
    );
    expect(packets.map(({ ptsMs, dtsMs, keyframe }) => [ptsMs, dtsMs, keyframe])).toEqual(
      sent.map(({ ptsMs, dtsMs, keyframe }) => [ptsMs, Math.max(0, dtsMs), keyframe]),
    );
    const kinds = new Set(packets.map(({ track }) => track.kind));
    expect(kinds.size).toBe(parts.length);
  });

  it('tracks with codec, size, sample rate and channels', async () => {
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs, audioArgs('5.1', 48_000)], 1);
    const packets = collect('s');
    await ffmpeg('-i', clip, '-c', 'copy', '-f', 'flv', `${server.url}/live/s`).done;
    const tracks = new Set(packets.map(({ track }) => track));
    expect([...tracks]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ codec: 'h264', width: 320, height: 180 }),
        expect.objectContaining({ codec: 'aac', sampleRate: 48_000, channels: 6 }),
      ]),
    );
    expect(tracks.size).toBe(2);
  });

  it('with times beyond 2^24 ms, which need extended timestamps', async () => {
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs, audioArgs('stereo', 48_000)], 2);
    const sent = await packetsOf(clip);
    const packets = collect('s');
    const late = ['-output_ts_offset', '16776.5']; // 2^24 ms is reached after 716 ms
    const { code } = await ffmpeg('-i', clip, ...late, '-c', 'copy', '-f', 'flv', `${server.url}/live/s`).done;
    expect(code).toBe(0);
    await until(() => server.ended.length === 1);
    expect(packets.map(({ payload }) => payload.length)).toEqual(sent.map(({ size }) => size));
    const offsets = packets.map(({ dtsMs }, i) => dtsMs - sent[i]!.dtsMs);
    expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThanOrEqual(1);
  });

  it('passes app with several parts, secret and tcUrl to the host', async () => {
    const args = ['-f', 'lavfi', '-i', 'anullsrc', '-t', '0.2', '-c:a', 'aac', '-f', 'flv'];
    await ffmpeg(...args, `${server.url}/app/sub/s?secret=X`).done;
    await until(() => server.ended.length === 1);
    expect(server.ended[0]).toMatchObject({
      type: 'fmle-publish',
      app: 'app/sub',
      stream: 's',
      param: '?secret=X',
      ip: '127.0.0.1',
      tcUrl: `${server.url}/app/sub`,
    });
  });

  it('after a signed handshake', async () => {
    const hello = await firstBytesFrom((port) => ffmpeg('-i', `rtmp://127.0.0.1:${port}/live/s`, '-f', 'null', '-'));
    expect(findDigest(hello.subarray(1), 'client')).toBeDefined();
  });
});

describe('GStreamer publishes', () => {
  it.each([
    ['rtmp2sink'],
    ['rtmpsink'], // librtmp, as in OBS and others
  ])('H.264 and AAC with %s', async (sinkName) => {
    const packets = collect('s');
    const video =
      'videotestsrc num-buffers=50 ! video/x-raw,width=320,height=180,framerate=25/1 ! x264enc key-int-max=25';
    const audio = 'audiotestsrc num-buffers=80 ! audioconvert ! voaacenc ! aacparse';
    const sink = `flvmux name=mux streamable=true ! ${sinkName} location=${server.url}/live/s`;
    const pipeline = `${video} ! h264parse ! queue ! mux. ${audio} ! queue ! mux. ${sink}`;
    const { code, stderr } = await start('gst-launch-1.0', ['-q', ...pipeline.split(' ')]).done;
    expect([code, stderr]).toEqual([0, '']);
    await until(() => server.ended.length === 1);
    expect(packets.filter(({ track }) => track.kind === 'video')).toHaveLength(50);
    expect(packets.filter(({ track }) => track.kind === 'audio').length).toBeGreaterThan(75);
  });
});

describe('an unusual encoder', () => {
  const config = Buffer.from('17000000000142c00bffe100046742c00b01000468ce3c80', 'hex');
  const keyframe = Buffer.from('170100000000000001650a', 'hex');
  const frame = Buffer.from('270100000000000001410a', 'hex');

  async function publishVideo(...messages: [timestamp: number, payload: Buffer][]): Promise<void> {
    const peer = new RtmpPeer(server.port);
    const media = messages.map(([timestamp, payload]) =>
      writeMessage({ typeId: 9, streamId: 1, timestamp, payload }, 4),
    );
    peer.send(writeHello(), writePublishCalls('s'), ...media, writeCall('FCUnpublish', 6, null, 's'));
    await until(() => server.ended.length === 1);
    await peer.close();
  }

  it('that sends media before its headers loses only that', async () => {
    const packets = collect('s');
    await publishVideo([0, keyframe], [40, frame], [80, config], [80, keyframe], [120, frame]);
    expect(packets.map(({ keyframe }) => keyframe)).toEqual([true, false]);
  });

  it.each([
    ['2^32', 0xffff_ffc0],
    ['2^31', 0x7fff_ffc0],
    ['2^24 without extended timestamps', 0xff_ffc0, 0xff_ffff],
  ])('whose clock wraps at %s keeps its intervals', async (_name, startMs, mask = 0xffff_ffff) => {
    const packets = collect('s');
    const times = [0, 40, 80, 120, 160].map((ms) => ((startMs + ms) & mask) >>> 0);
    await publishVideo([times[0]!, config], ...times.map((time): [number, Buffer] => [time, keyframe]));
    const first = packets[0]!.dtsMs;
    expect(packets.map(({ dtsMs }) => dtsMs - first)).toEqual([0, 40, 80, 120, 160]);
  });

  it('with Enhanced RTMP is passed through', async () => {
    const packets = collect('s');
    const start = Buffer.concat([Buffer.from('90', 'hex'), Buffer.from('av01'), Buffer.from('8104080c0a0b', 'hex')]);
    const coded = Buffer.concat([Buffer.from('91', 'hex'), Buffer.from('av01'), Buffer.from('12000a0b', 'hex')]);
    await publishVideo([0, start], [0, coded]);
    expect(packets).toMatchObject([{ track: { codec: 'av1' }, keyframe: true }]);
    expect(packets[0]!.payload.toString('hex')).toBe('12000a0b');
  });
});

describe('an encoder without readers', () => {
  const audioOf = (timestamp: number): Buffer =>
    writeMessage(
      { typeId: 8, streamId: 1, timestamp, payload: Buffer.from(timestamp === 0 ? 'af001190' : 'af0121', 'hex') },
      4,
    );

  it('is read in batches, and nothing is lost or late in the stream', async () => {
    const times: number[] = [];
    const reader = {
      name: 'patient',
      isPatient: true,
      onPacket: ({ dtsMs }: Packet) => times.push(dtsMs),
      onEnd: () => {},
    };
    server.hub.attach(keyOf('s'), reader);
    const peer = new RtmpPeer(server.port);
    peer.send(writeHello(), writePublishCalls('s'), audioOf(0));
    await until(() => server.hub.isPublished(keyOf('s')));
    const expected = Array.from({ length: 40 }, (_, i) => 20 + i * 20);
    for (const ms of expected) await new Promise<void>((resolve) => peer.socket.write(audioOf(ms), () => resolve()));
    await until(() => times.length === expected.length);
    expect(times).toEqual(expected);
    await peer.close();
    await until(() => server.ended.length === 1);
  });

  it.each([
    ['unpublishes', (peer: RtmpPeer) => peer.send(writeCall('FCUnpublish', 6, null, 's'))],
    ['closes its connection', (peer: RtmpPeer) => peer.socket.end()],
    ['is killed', (peer: RtmpPeer) => peer.socket.resetAndDestroy()],
  ])('%s and reconnects immediately: it is admitted', async (_what, leave) => {
    for (let round = 1; round <= 4; round++) {
      const [gone, back] = [new RtmpPeer(server.port), new RtmpPeer(server.port)];
      gone.send(writeHello(), writePublishCalls('s'), audioOf(0));
      await until(() => server.hub.find(keyOf('s'))?.audio !== undefined);
      const { publisher } = server.hub.find(keyOf('s'))!;
      gone.send(audioOf(20));
      leave(gone);
      back.send(writeHello(), writePublishCalls('s'), audioOf(0));
      await until(() => ![undefined, publisher].includes(server.hub.find(keyOf('s'))?.publisher));
      expect([server.refusals, server.ended.length]).toEqual([[], round * 2 - 1]);
      await Promise.all([gone.close(), back.close()]);
      await until(() => server.ended.length === round * 2);
    }
  });
});

async function firstBytesFrom(connect: (port: number) => { kill(): void; done: Promise<unknown> }): Promise<Buffer> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const accepted = new Promise<Socket>((resolve) => listener.once('connection', resolve));
  const client = connect((listener.address() as { port: number }).port);
  const socket = await accepted;
  const bytes: Buffer[] = [];
  for await (const data of socket) {
    bytes.push(data as Buffer);
    if (Buffer.concat(bytes).length > handshakePartBytes) break;
  }
  client.kill();
  await client.done;
  await new Promise((resolve) => listener.close(resolve));
  return Buffer.concat(bytes);
}
