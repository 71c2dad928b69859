import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { writeOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { AudioPacket, Packet } from '@srs-stack/media/packet.ts';
import { aacTrack, audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AudioBridge } from '../src/hub/audio-bridge.ts';
import { audioPackets, collect } from './bridge-media.ts';
import { type FlvRig, startFlvRig } from './flv-rig.ts';
import { encodePackets, h264WithBFrames } from './hls-media.ts';
import { until } from './rtmp-server.ts';

const opusTrack = audioTrackFromConfig('opus', writeOpusConfig(2));

let rig: FlvRig;
beforeEach(async () => {
  rig = await startFlvRig();
});
afterEach(() => rig.close());

interface ByteViewer {
  readonly response: IncomingMessage;
  readonly bytes: () => Buffer;
}

async function watch(path: string): Promise<ByteViewer> {
  const call = get({ port: rig.port, path, agent: false });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('error', () => {});
  return { response, bytes: () => Buffer.concat(parts) };
}

function demux(ts: Buffer): Packet[] {
  const packets: Packet[] = [];
  const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: (packet) => packets.push(packet) });
  demuxer.push(ts);
  demuxer.end();
  return packets;
}

const timesOf = (packets: readonly Packet[], kind: 'video' | 'audio'): number[] =>
  packets.filter(({ track }) => track.kind === kind).map(({ dtsMs }) => Math.round(dtsMs - 1000));

async function fetchText(path: string, method = 'GET') {
  const call = request({ port: rig.port, path, method, agent: false });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString() };
}

describe('HTTP-TS', () => {
  it('drops audio from before the first video frame when its converter starts late', async () => {
    let convert: ((packet: AudioPacket) => void) | undefined;
    const bridge: AudioBridge = {
      targetOf: () => 'aac',
      convert: ({ onPacket }) => {
        convert = onPacket;
        return { track: aacTrack, state: 'starting', push: () => {}, close: () => {} };
      },
    };
    await rig.close();
    rig = await startFlvRig({ bridge });
    const publication = rig.publish();
    publication.push(keyframe(0));
    publication.push(audio(5, { track: opusTrack }));
    const viewing = watch('/live/s.ts');
    await until(() => convert !== undefined);
    for (const packet of [video(40), keyframe(80), video(120)]) publication.push(packet);
    for (const dtsMs of [5, 25, 45, 65, 85, 105]) convert!(audio(dtsMs, { track: aacTrack }));
    const { bytes } = await viewing;
    publication.push(keyframe(160));
    convert!(audio(125, { track: aacTrack }));
    publication.push(keyframe(200));
    await until(() => timesOf(demux(bytes()), 'video').includes(200));
    expect(timesOf(demux(bytes()), 'video')).toEqual([80, 120, 160, 200]);
    expect(timesOf(demux(bytes()), 'audio')[0]).toBe(85);
  });

  it('starts a late joiner with tables and the last keyframe, then continues live', async () => {
    const publication = rig.publish();
    for (const packet of [keyframe(0), audio(5), video(40), keyframe(80), audio(85), video(120)])
      publication.push(packet);
    const viewer = await watch('/live/s.ts');
    expect(viewer.response.headers).toMatchObject({
      'content-type': 'video/MP2T',
      'access-control-allow-origin': '*',
    });
    for (const packet of [video(160), keyframe(200), video(240)]) publication.push(packet);
    await until(() => timesOf(demux(viewer.bytes()), 'video').length === 5);
    expect(viewer.bytes().length % 188).toBe(0);
    expect(timesOf(demux(viewer.bytes()), 'video')).toEqual([80, 120, 160, 200, 240]);
    expect(timesOf(demux(viewer.bytes()), 'audio')).toEqual([85]);
    expect(rig.hub.clients(0).map(({ session }) => session.type)).toEqual(['fmle-publish', 'ts-play']);
  });

  it('carries every frame of an encoder with B-frames; FFmpeg decodes it without errors', async () => {
    const packets = await encodePackets({ seconds: 3, video: h264WithBFrames, audio: ['-c:a', 'aac'], gop: 25 });
    const publication = rig.publish();
    publication.push(packets[0]!);
    const viewer = await watch('/live/s.ts');
    for (const packet of packets.slice(1)) publication.push(packet);
    const frames = packets.filter(({ track }) => track.kind === 'video');
    await until(() => timesOf(demux(viewer.bytes()), 'video').length === frames.length);
    const got = demux(viewer.bytes()).filter(({ track }) => track.kind === 'video');
    const shift = got[0]!.dtsMs - frames[0]!.dtsMs;
    expect(got.map(({ ptsMs }) => Math.round(ptsMs - shift))).toEqual(frames.map(({ ptsMs }) => Math.round(ptsMs)));
    const decoding = ['-v', 'error', '-xerror', '-f', 'mpegts', '-i', 'pipe:0', '-f', 'null', '-'];
    await expect(collect('ffmpeg', decoding, viewer.bytes())).resolves.toHaveLength(0);
  });

  it('plays an audio-only stream, wherever a viewer starts', async () => {
    const publication = rig.publish();
    const packets = await audioPackets('aac', { seconds: 4 });
    for (const packet of packets.slice(0, 100)) publication.push(packet);
    const viewer = await watch('/live/s.ts');
    for (const packet of packets.slice(100)) publication.push(packet);
    await until(() => timesOf(demux(viewer.bytes()), 'audio').at(-1)! > 3900);
    const times = timesOf(demux(viewer.bytes()), 'audio');
    expect(times[0]).toBeGreaterThan(1000);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('refuses video that it cannot carry, and names an alternative', async () => {
    const track = videoTrackFromConfig('av1', Buffer.from('81050c00', 'hex'));
    rig.publish().push(keyframe(0, { track }));
    const result = await fetchText('/live/s.ts');
    expect(result).toMatchObject({ status: 415, headers: { 'access-control-allow-origin': '*' } });
    expect(JSON.parse(result.body)).toMatchObject({ name: 'codec-unsupported' });
    expect(rig.refusals.all()).toMatchObject([{ reason: 'codec-unsupported', stream: 's' }]);
  });

  it('skips to a keyframe for a slow viewer, and counts the dropped frames', async () => {
    await rig.close();
    rig = await startFlvRig({ config: { viewerQueue: { maxBytes: 256 * 1024, maxDurationMs: 5000 } } });
    const publication = rig.publish();
    publication.push(keyframe(0));
    publication.push(audio(1));
    const viewer = await watch('/live/s.ts');
    viewer.response.pause();
    const dropped = () => rig.hub.clients(0).find(({ publish }) => !publish)?.droppedFrames ?? 0;
    let time = 40;
    await until(() => {
      const bytes = 100_000;
      publication.push(time % 1000 === 0 ? keyframe(time, { bytes }) : video(time, { bytes }));
      time += 40;
      return dropped() > 10;
    });
    expect(dropped()).toBeGreaterThan(10);
  });
});

describe('audio only', () => {
  it.each([
    ['aac', 'audio/x-aac', 'aac-play'],
    ['mp3', 'audio/mpeg', 'mp3-play'],
  ] as const)('.%s has the format that FFmpeg detects, without video', async (codec, contentType, clientType) => {
    const publication = rig.publish();
    const packets = await audioPackets(codec, { seconds: 3 });
    publication.push(keyframe(0));
    publication.push(packets[0]!);
    const viewer = await watch(`/live/s.${codec}`);
    expect(viewer.response.headers['content-type']).toBe(contentType);
    expect(rig.hub.clients(0)[1]?.session.type).toBe(clientType);
    for (const packet of packets.slice(1)) {
      publication.push(packet);
      publication.push(video(packet.dtsMs));
    }
    const framing = codec === 'aac' ? 7 : 0;
    const sent = packets.reduce((sum, { payload }) => sum + payload.length + framing, 0);
    await until(() => viewer.bytes().length === sent);
    const decode = ['-v', 'error', '-xerror', '-f', codec, '-i', 'pipe:0', '-f', 's16le', 'pipe:1'];
    const pcm = await collect('ffmpeg', decode, viewer.bytes());
    expect(pcm.length / 4 / 48_000).toBeCloseTo(3, 0);
  });

  it('.mp3 of another codec, and any of a stream without audio, is refused with the reason', async () => {
    const publication = rig.publish();
    for (const packet of [keyframe(0), audio(5)]) publication.push(packet);
    const result = await fetchText('/live/s.mp3');
    expect(result.status).toBe(404);
    expect(JSON.parse(result.body).message).toContain('aac, not MP3');
    const silent = rig.publish({ stream: 'silent', clientId: 'pub00002' });
    for (let t = 0; t <= 1200; t += 40) silent.push(t === 0 ? keyframe(t) : video(t));
    for (const extension of ['aac', 'mp3']) {
      const { status, body } = await fetchText(`/live/silent.${extension}`);
      expect(status).toBe(404);
      expect(JSON.parse(body)).toMatchObject({ name: 'codec-unsupported', message: 'the stream has no audio' });
    }
  });

  it('refuses audio that cannot be converted when there is no video', async () => {
    const publication = rig.publish();
    const track = audioTrackFromConfig('flac', Buffer.alloc(34));
    for (let t = 0; t <= 1200; t += 40) publication.push({ ...audio(t, { track }) });
    for (const extension of ['flv', 'ts', 'aac']) {
      const { status, body } = await fetchText(`/live/s.${extension}`);
      expect(status).toBe(415);
      expect(JSON.parse(body)).toMatchObject({
        name: 'codec-unsupported',
        message: 'the audio of this stream is flac, which cannot be converted: publish AAC, MP3 or Opus',
      });
    }
    publication.push(keyframe(1240));
    expect((await fetchText('/live/s.flv', 'HEAD')).status).toBe(200);
  });

  it('.aac omits frames that ADTS cannot carry', async () => {
    const publication = rig.publish();
    publication.push(audio(0));
    const viewer = await watch('/live/s.aac');
    const track = audioTrackFromConfig('aac', Buffer.from('1190', 'hex'));
    publication.push({ ...audio(20, { track }), payload: Buffer.alloc(9000) });
    publication.push(audio(40, { track }));
    await until(() => viewer.bytes().length === 20);
    expect(viewer.bytes().toString('hex', 0, 2)).toBe('fff1');
  });
});

describe('every format', () => {
  it.each(['ts', 'aac', 'mp3'])(
    '.%s handles HEAD, OPTIONS, other methods and unknown streams as FLV does',
    async (extension) => {
      const publication = rig.publish();
      const sound = extension === 'mp3' ? (await audioPackets('mp3', { seconds: 1 }))[0]! : audio(0);
      publication.push(sound);
      expect(await fetchText(`/live/s.${extension}`, 'HEAD')).toMatchObject({ status: 200, body: '' });
      expect((await fetchText(`/live/s.${extension}`, 'OPTIONS')).status).toBe(204);
      expect((await fetchText(`/live/s.${extension}`, 'POST')).status).toBe(405);
      expect((await fetchText(`/live/nobody.${extension}`)).status).toBe(404);
    },
  );
});
