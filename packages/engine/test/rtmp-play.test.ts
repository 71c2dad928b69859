// RTMP players: FFmpeg reads back the published stream; raw peers are late, slow or disconnected by the operator.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageType, type RtmpMessage } from '@srs-stack/media/protocols/rtmp/message.ts';
import { writeHello, writePlayCalls } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Publication } from '../src/hub/stream-hub.ts';
import { audioArgs, makeClip, packetsOf, videoArgs } from './clips.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { ffmpeg, type RtmpServer, start, startRtmpServer, until } from './rtmp-server.ts';

const key = { vhost: defaultVhost, app: 'live', stream: 's' };
const queueBytes = 1024 * 1024;

let server: RtmpServer;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtmp-play-'));
  server = await startRtmpServer({ config: { viewerQueue: { maxBytes: queueBytes, maxDurationMs: 60_000 } } });
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const players = () => server.hub.clients(performance.now()).filter(({ publish }) => !publish);

describe('FFmpeg plays', () => {
  it('the frames that were published, with their times', async () => {
    const [clip, played] = [join(folder, 'clip.flv'), join(folder, 'played.flv')];
    await makeClip(clip, [videoArgs, audioArgs('stereo', 44_100)], 4);
    const frames = ['-frames:v', '100'];
    const player = ffmpeg('-copyts', '-i', `${server.url}/live/s`, '-c', 'copy', ...frames, '-f', 'flv', played);
    await until(() => players().length === 1);
    await ffmpeg('-i', clip, '-c', 'copy', '-f', 'flv', `${server.url}/live/s`).done;
    expect(await player.done).toMatchObject({ code: 0, stderr: '' });

    const video = async (file: string) =>
      (await packetsOf(file))
        .filter(({ kind }) => kind === 'video')
        .map(({ ptsMs, keyframe, hash }) => ({ ptsMs, keyframe, hash }));
    const [sent, received] = [await video(clip), await video(played)];
    const shift = received[0]!.ptsMs - sent[0]!.ptsMs;
    expect(received).toEqual(sent.map((packet) => ({ ...packet, ptsMs: packet.ptsMs + shift })));
    expect(received).toHaveLength(100);
  });

  it.each([
    ['video only', [videoArgs], ['h264']],
    ['5.1 audio only', [audioArgs('5.1', 48_000)], ['aac']],
  ])('%s: no extra track', async (_name, parts, codecs) => {
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, parts, 4);
    const publisher = ffmpeg('-re', '-i', clip, '-c', 'copy', '-f', 'flv', `${server.url}/live/s`);
    await until(() => server.hub.isPublished(key));
    const show = ['-show_entries', 'stream=codec_name', '-of', 'csv=p=0'];
    const probe = await start('ffprobe', [
      '-v',
      'error',
      '-analyzeduration',
      '1000000',
      ...show,
      `${server.url}/live/s`,
    ]).done;
    publisher.kill();
    await publisher.done;
    expect(probe).toEqual({ code: 0, stdout: `${codecs.join('\n')}\n`, stderr: '' });
  });
});

const track: VideoTrack = {
  kind: 'video',
  codec: 'h264',
  config: Buffer.from('0142c00bffe100046742c00b01000468ce3c80', 'hex'),
  width: 16,
  height: 16,
  profile: 'Baseline',
  level: '1.1',
};

function publish(): Publication {
  const session = { ...key, clientId: 'pub', type: 'fmle-publish', ip: '', param: '', tcUrl: '', pageUrl: '' } as const;
  const result = server.hub.publish(session, { close: () => {} }, performance.now());
  if (!result.ok) throw new Error(result.detail);
  return result.publication;
}

/** One frame every 40 ms; every tenth frame is a keyframe. */
function pushFrame(publication: Publication, index: number, bytes = 1000): void {
  const payload = Buffer.alloc(bytes, index & 0xff);
  const dtsMs = index * 40;
  publication.push({ track, dtsMs, ptsMs: dtsMs, payload, keyframe: index % 10 === 0 });
}

const video = (peer: RtmpPeer): RtmpMessage[] =>
  peer.server.messages.filter(({ typeId }) => typeId === messageType.video);
const isKeyframe = ({ payload }: RtmpMessage): boolean => payload[0] === 0x17;
const isConfig = ({ payload }: RtmpMessage): boolean => payload[1] === 0;

function play(): RtmpPeer {
  const peer = new RtmpPeer(server.port);
  peer.send(writeHello(), writePlayCalls('s'));
  return peer;
}

describe('an RTMP viewer', () => {
  it('that joins late starts with configuration and the last keyframe', async () => {
    const publication = publish();
    publication.setMetadata({ width: 16 });
    for (let i = 0; i < 25; i++) pushFrame(publication, i);
    const peer = play();
    await until(() => video(peer).length === 6);
    const [config, keyframe, next] = video(peer);
    expect(isConfig(config!)).toBe(true);
    expect(isKeyframe(keyframe!)).toBe(true);
    expect([keyframe!.timestamp, next!.timestamp]).toEqual([800, 840]);
    expect(peer.server.messages.some(({ typeId }) => typeId === messageType.dataAmf0)).toBe(true);
    pushFrame(publication, 25);
    await until(() => video(peer).length === 7);
    await peer.close();
  });

  it('that is slow loses frames up to a keyframe, is counted, and uses bounded memory', async () => {
    const publication = publish();
    const peer = play();
    await until(() => players().length === 1);
    pushFrame(publication, 0);
    await until(() => video(peer).length === 2);
    peer.socket.pause();
    const frameBytes = 100_000;
    let index = 1;
    while (players()[0]!.droppedFrames === 0) {
      pushFrame(publication, index++, frameBytes);
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(players()[0]!.queuedBytes).toBeLessThan(queueBytes + 512 * 1024);
      if (index > 2000) throw new Error('nothing was dropped');
    }
    peer.socket.resume();
    await until(() => players()[0]!.queuedBytes === 0);
    for (const end = index + 20; index < end; index++) pushFrame(publication, index);
    await until(() => video(peer).at(-1)?.timestamp === (index - 1) * 40);

    const frames = video(peer).filter((message) => !isConfig(message));
    const afterGaps = frames.filter((frame, i) => i > 0 && frame.timestamp !== frames[i - 1]!.timestamp + 40);
    expect(afterGaps.length).toBeGreaterThan(0);
    expect(afterGaps.every(isKeyframe)).toBe(true);
    expect(frames.length + players()[0]!.droppedFrames).toBe(index);
    await peer.close();
  });

  it('stays when the publisher returns, and its time continues', async () => {
    const first = publish();
    const peer = play();
    await until(() => players().length === 1);
    for (let i = 0; i < 5; i++) pushFrame(first, i);
    await until(() => video(peer).length === 6);
    first.end('error');
    const second = publish();
    for (let i = 0; i < 5; i++) pushFrame(second, i);
    await until(() => video(peer).filter((message) => !isConfig(message)).length === 10);
    const times = video(peer).map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    await peer.close();
  });

  it('gets the new configuration before the frames that need it', async () => {
    const publication = publish();
    const peer = play();
    await until(() => players().length === 1);
    pushFrame(publication, 0);
    const larger = { ...track, config: Buffer.from('0142c01effe100046742c01e01000468ce3c80', 'hex'), width: 32 };
    publication.push({ track: larger, dtsMs: 40, ptsMs: 40, payload: Buffer.alloc(10), keyframe: true });
    await until(() => video(peer).length === 4);
    expect(video(peer).map(isConfig)).toEqual([true, false, true, false]);
    await peer.close();
  });

  it('that is kicked gets a status and is closed', async () => {
    const peer = play();
    await until(() => players().length === 1);
    server.hub.kick(players()[0]!.session.clientId);
    await peer.closed;
    expect(peer.server.codes.at(-1)).toBe('NetStream.Play.UnpublishNotify');
    expect(server.ended).toHaveLength(1);
  });

  it('releases the stream when it leaves', async () => {
    const peer = play();
    await until(() => players().length === 1);
    await peer.close();
    await until(() => players().length === 0);
    expect(server.hub.find(key)).toBeUndefined();
    expect(server.ended).toMatchObject([{ type: 'rtmp-play', stream: 's' }]);
  });

  it('shares the bytes of the stream with the others', async () => {
    const publication = publish();
    const peers = [play(), play(), play()];
    await until(() => players().length === 3);
    for (let i = 0; i < 10; i++) pushFrame(publication, i);
    await until(() => peers.every((peer) => video(peer).length === 11));
    const [first, second, third] = peers.map((peer) => video(peer));
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    await Promise.all(peers.map((peer) => peer.close()));
  });
});
