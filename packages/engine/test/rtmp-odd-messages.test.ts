// A malformed message or an unsupported track does not end a publisher. All other messages arrive unchanged, and the operator sees what was
// dropped.
import type { Packet } from '@srs-stack/media/packet.ts';
import { writeHello, writeMessage, writePublishCalls } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RtmpPeer } from './rtmp-peer.ts';
import { type RtmpServer, startRtmpServer, until } from './rtmp-server.ts';

const key = { vhost: defaultVhost, app: 'live', stream: 's' };
let server: RtmpServer;
let peer: RtmpPeer;
let packets: Packet[];

beforeEach(async () => {
  server = await startRtmpServer();
  packets = [];
  server.hub.attach(key, { name: 'test', onPacket: (packet) => packets.push(packet), onEnd: () => {} });
  peer = new RtmpPeer(server.port);
  peer.send(writeHello(), writePublishCalls('s'));
});

afterEach(async () => {
  await peer.close();
  await server.close();
});

const message = (typeId: number, timestamp: number, hex: string): Buffer =>
  writeMessage({ typeId, streamId: 1, timestamp, payload: Buffer.from(hex.replaceAll(' ', ''), 'hex') }, 4);
const video = (timestamp: number, hex: string): Buffer => message(9, timestamp, hex);
const audio = (timestamp: number, hex: string): Buffer => message(8, timestamp, hex);

const avcHeader = '17000000000142c00bffe100046742c00b01000468ce3c80';
const idr = '1701000000 00000002 6588';
const slice = '2701000000 00000002 4188';
const kindsAndTimes = () => packets.map(({ track, dtsMs }) => `${track.kind} ${dtsMs}`);

describe('a publisher continues after', () => {
  it.each([
    ['one byte of video', video(40, '17'), 'Video'],
    ['one byte of audio', audio(40, 'af'), 'Audio'],
    ['an unknown video codec id', video(40, '1f00'), 'Video'],
    ['an unknown sound format', audio(40, 'c6aa'), 'Audio'],
    ['an unknown FourCC', video(40, `90${Buffer.from('vvc1').toString('hex')}00`), 'Video'],
    ['a damaged aggregate', message(22, 40, '0900'), 'Other'],
    ['a user control message of one byte', message(4, 40, '00'), 'Other'],
    ['metadata that is not AMF', message(18, 40, '02'), 'Other'],
    ['a configuration that cannot be read', video(40, '1700000000 0142'), 'Video'],
  ])('%s, which is counted', async (_name, odd, kind) => {
    peer.send(video(0, avcHeader), audio(0, 'af001190'), video(0, idr), audio(0, 'af0121'));
    peer.send(odd, video(40, slice), audio(40, 'af0121'));
    await until(() => packets.length === 4);
    expect(kindsAndTimes()).toEqual(['video 0', 'audio 0', 'video 40', 'audio 40']);
    const { health } = server.hub.streams(performance.now())[0]!;
    const counts = { recentDroppedVideo: 0, recentDroppedAudio: 0, recentDroppedOther: 0 };
    expect(health).toMatchObject({ ...counts, [`recentDropped${kind}`]: 1 });
    expect(server.refusals).toEqual([]);
  });

  it('an end of sequence of two bytes, which is valid', async () => {
    peer.send(video(0, avcHeader), video(0, idr), video(40, '1702'), video(40, slice), audio(40, '2f00'));
    await until(() => packets.length === 3);
    expect(server.hub.streams(performance.now())[0]!.health.recentDroppedVideo).toBe(0);
  });
});

describe('an unsupported codec', () => {
  const named = () => server.hub.streams(performance.now())[0]?.publisherDetail;

  it.each([
    ['Speex', 'b6aa'],
    ['PCM', '3eaa'],
    ['Nellymoser', '6eaa'],
  ])('%s: the audio is dropped and named, the video plays', async (codec, hex) => {
    peer.send(audio(0, hex), video(0, avcHeader), video(0, idr), audio(20, hex), video(40, slice), audio(60, hex));
    await until(() => packets.length === 2 && server.logged.some(({ message }) => message.includes('is dropped')));
    expect(kindsAndTimes()).toEqual(['video 0', 'video 40']);
    expect(named()).toEqual({ unsupportedAudio: codec });
    const { health } = server.hub.streams(performance.now())[0]!;
    expect(health.recentDroppedAudio).toBe(0);
    const lines = server.logged.filter(
      ({ message }) => message === 'media in an unsupported format from the encoder is dropped',
    );
    expect(lines).toMatchObject([{ fields: { unsupportedAudio: codec, stream: 's', protocol: 'rtmp' } }]);
  });

  it('of the video: the audio plays', async () => {
    peer.send(video(0, '2200'), audio(0, 'af001190'), audio(0, 'af0121'), video(40, '2200'), audio(6000, 'af0121'));
    await until(() => packets.length === 2);
    expect(named()).toEqual({ unsupportedVideo: 'Sorenson H.263' });
  });

  it('in a second track: each is counted and named once, the first track plays', async () => {
    const second = (timestamp: number, id: string) =>
      audio(timestamp, `9501${Buffer.from('mp4a').toString('hex')}${id}21`);
    peer.send(audio(0, 'af001190'), second(0, '01'), second(10, '02'), second(20, '01'), audio(20, 'af0121'));
    await until(() => packets.length === 1);
    expect(named()).toEqual({ extraAudioTracks: 2 });
    const lines = server.logged.filter(
      ({ message }) => message === 'media in an unsupported format from the encoder is dropped',
    );
    expect(lines).toMatchObject([
      { fields: { extraAudioTracks: 1, stream: 's', remedy: expect.stringContaining('one audio') } },
    ]);
  });

  it('is no longer named when a track follows', async () => {
    peer.send(audio(0, 'b6aa'), audio(10, 'af001190'), audio(20, 'af0121'));
    await until(() => packets.length === 1);
    expect(named()).toBeUndefined();
  });
});
