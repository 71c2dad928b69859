// Admission of viewers of every output protocol. Refusals are recorded, except those of unpublished streams.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import { toFlvMessage, toSequenceHeader } from '@srs-stack/media/containers/flv/flv-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { writeHello, writeMessage, writePublishCalls } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { audio, keyframe } from '@srs-stack/media/testing/media.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine, type EngineConfig, type SessionInfo, type Verdict } from '../src/index.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import {
  type Attempt,
  type PlayPorts,
  playHls,
  playHttp,
  playRtmp,
  playSrt,
  playWebSocket,
  playWhep,
  type StartAttempt,
} from './players.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { testConfig, until } from './rtmp-server.ts';

let folder: string;
let engine: Engine;
let server: Server;
let at: PlayPorts;
let attempts: Attempt[];
let hostCalls: string[];
let stopped: string[];
let verdict: () => Promise<Verdict>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'play-gate-'));
  attempts = [];
  hostCalls = [];
  stopped = [];
  verdict = async () => ({ allowed: true });
});

afterEach(async () => {
  for (const attempt of attempts) attempt.leave();
  await engine.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

async function start(changes: Partial<EngineConfig> = {}): Promise<void> {
  const config: EngineConfig = {
    ...testConfig,
    hls: { ...testConfig.hls, enabled: true, path: join(folder, 'hls') },
    srt: { host: '127.0.0.1', port: 0, latencyMs: 120 },
    rtc: { host: '127.0.0.1', port: 0, candidates: [] },
    ...changes,
  };
  engine = createEngine(config, {
    log: recordingLog(),
    isValidStream: ({ stream }) => /^[\w.-]+$/.test(stream),
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: (session) => {
      hostCalls.push(session.clientId);
      return verdict();
    },
    onUnpublish: () => {},
    onStop: ({ clientId }: SessionInfo) => void stopped.push(clientId),
    onHlsSegment: () => {},
  });
  const { rtmpPort, srtPort } = await engine.start();
  server = createServer((request, response) => {
    if (!engine.handleRequest(request, response)) response.writeHead(418).end();
  });
  server.on('upgrade', (request, socket, head) => {
    if (!engine.handleUpgrade(request, socket, head)) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  at = { rtmp: rtmpPort, srt: srtPort!, http: (server.address() as AddressInfo).port };
}

/** Publishes all packets immediately over RTMP. The publisher stays connected. */
async function publish(stream: string, packets: readonly Packet[]): Promise<RtmpPeer> {
  const peer = new RtmpPeer(at.rtmp);
  const first = packets.filter(({ track }, index) => packets.findIndex((other) => other.track === track) === index);
  const headers = first.flatMap(({ track }) => toSequenceHeader(track, 0) ?? []);
  const messages = [...headers, ...packets.map(toFlvMessage)].map(({ type, timestampMs, head, payload }) =>
    writeMessage(
      { typeId: type, streamId: 1, timestamp: timestampMs, payload: Buffer.concat([head, payload]) },
      type === 9 ? 6 : 4,
    ),
  );
  peer.send(writeHello(), writePublishCalls(stream), ...messages);
  const frames = packets.filter(({ track }) => track.kind === 'video').length;
  await until(() => {
    const live = engine.streams().find((other) => other.stream === stream);
    return live?.hasMedia === true && live.frames === frames;
  });
  return peer;
}

const seconds = 8;
const times = Array.from({ length: seconds * 2 }, (_, index) => index * 500);
const av1 = videoTrackFromConfig('av1', Buffer.from([0x81, 0, 0, 0]));
const av1Packets = times.map((time) => ({ ...keyframe(time), track: av1, payload: Buffer.from([0x12, 0]) }));
const flac = audioTrackFromConfig('flac', Buffer.alloc(34));
const flacPackets = times.map((time) => audio(time, { track: flac }));
const usualPackets = times.flatMap((time) => [keyframe(time), audio(time + 5)]);

const players: Record<string, StartAttempt> = {
  RTMP: playRtmp,
  SRT: playSrt,
  WHEP: playWhep,
  'HTTP-FLV': playHttp('flv'),
  'HTTP-TS': playHttp('ts'),
  AAC: playHttp('aac'),
  'WebSocket-FLV': playWebSocket,
  HLS: playHls,
};
const protocols = Object.keys(players);

async function play(protocol: string, stream: string): Promise<Attempt> {
  const attempt = await players[protocol]!(at, 'live', stream);
  attempts.push(attempt);
  return attempt;
}

const playRefusals = () => engine.refusals().filter(({ action }) => action === 'play');
const viewers = () => engine.clients().filter(({ publish: isPublisher }) => !isPublisher);

describe.each(protocols)('%s', (protocol) => {
  it('an invalid name is refused before the host is called, and recorded', async () => {
    await start();
    expect((await play(protocol, 'a:b')).isPlaying).toBe(false);
    expect(playRefusals()).toMatchObject([{ app: 'live', stream: 'a:b', reason: 'name-invalid' }]);
    expect(hostCalls).toEqual([]);
  });

  it('above the limit of connections is refused before the host is called, and recorded', async () => {
    await start({ maxConnections: 2 });
    await publish('s', usualPackets);
    expect((await play('HTTP-FLV', 's')).isPlaying).toBe(true);
    await until(() => viewers().length === 1);
    const { isPlaying, responseText } = await play(protocol, 's');
    expect({ isPlaying, responseText }).toMatchObject({
      isPlaying: false,
      responseText: expect.stringMatching(limitResponses[protocol]!),
    });
    expect(playRefusals()).toMatchObject([
      { app: 'live', stream: 's', reason: 'limit-reached', detail: 'the limit of 2 connections is reached' },
    ]);
    expect(hostCalls).toHaveLength(1);
  });

  it('pending viewers count towards the limit', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    await start({ maxConnections: 3 });
    await publish('s', usualPackets);
    verdict = () => promise;
    const waiting = ['SRT', 'HTTP-FLV'].map((other) => play(other, 's'));
    await until(() => hostCalls.length === 2);
    expect((await play(protocol, 's')).isPlaying).toBe(false);
    resolve({ allowed: true });
    expect((await Promise.all(waiting)).map(({ isPlaying }) => isPlaying)).toEqual([true, true]);
    expect(playRefusals()).toMatchObject([{ reason: 'limit-reached' }]);
  });

  it('refused by the host is recorded, not counted, and no end is reported', async () => {
    await start();
    await publish('s', usualPackets);
    verdict = async () => ({ allowed: false, reason: 'callback-refused', detail: 'members only' });
    expect((await play(protocol, 's')).isPlaying).toBe(false);
    expect(playRefusals()).toMatchObject([{ stream: 's', reason: 'callback-refused', detail: 'members only' }]);
    expect([hostCalls.length, stopped.length, viewers().length]).toEqual([1, 0, 0]);
  });
});

const limitResponses: Record<string, RegExp> = {
  RTMP: /^NetStream\.Play\.Failed .*limit-reached: /,
  SRT: /^2402$/,
  WHEP: /^503 .*limit-reached/,
  'HTTP-FLV': /^503 .*limit-reached/,
  'HTTP-TS': /^503 .*limit-reached/,
  AAC: /^503 .*limit-reached/,
  'WebSocket-FLV': /^503 .*limit-reached/,
  HLS: /^503 .*limit-reached/,
};

describe('an unpublished stream', () => {
  it.each(protocols.filter((protocol) => !['RTMP', 'WHEP'].includes(protocol)))(
    'is not found for %s: the host is not called, and no refusal recorded',
    async (protocol) => {
      await start();
      const { isPlaying, responseText } = await play(protocol, 'nobody');
      expect({ isPlaying, responseText }).toMatchObject({
        isPlaying: false,
        responseText: expect.stringMatching(/^(?:2404$|404 )/),
      });
      expect([hostCalls, playRefusals()]).toEqual([[], []]);
    },
  );

  it.each(['RTMP', 'WHEP'])('players of %s wait for it', async (protocol) => {
    await start();
    expect((await play(protocol, 'later')).isPlaying).toBe(true);
  });

  it.each(protocols.filter((protocol) => !['RTMP', 'WHEP'].includes(protocol)))(
    'that ended during the call of the host is not found for %s, and the host gets the end of the play',
    async (protocol) => {
      const { promise, resolve } = Promise.withResolvers<Verdict>();
      await start();
      const publisher = await publish('s', usualPackets);
      verdict = () => promise;
      const attempt = play(protocol, 's');
      await until(() => hostCalls.length === 1);
      await publisher.close();
      await until(() => !engine.streams().some((live) => live.publisher));
      resolve({ allowed: true });
      expect((await attempt).isPlaying).toBe(false);
      await until(() => stopped.length === 1);
      expect([stopped, viewers().length]).toEqual([hostCalls, 0]);
    },
  );
});

describe('media that cannot be carried', () => {
  it.each(['SRT', 'WHEP', 'HTTP-TS', 'HLS'])(
    'AV1 is refused by %s before the host is called, and recorded',
    async (protocol) => {
      await start();
      await publish('s', av1Packets);
      expect((await play(protocol, 's')).isPlaying).toBe(false);
      expect(playRefusals()).toMatchObject([{ stream: 's', reason: 'codec-unsupported' }]);
      expect(hostCalls).toEqual([]);
    },
  );

  it.each([
    ['av1', av1Packets],
    ['flac', flacPackets],
  ])('WHEP returns the codec to its player: %s', async (codec, media) => {
    await start();
    await publish('s', media);
    const { responseText } = await play('WHEP', 's');
    expect(JSON.parse(responseText.replace(/^406 /, ''))).toMatchObject({ data: { name: 'codec-unsupported', codec } });
  });

  it.each(['RTMP', 'HTTP-FLV', 'WebSocket-FLV'])('AV1 plays over %s', async (protocol) => {
    await start();
    await publish('s', av1Packets);
    expect((await play(protocol, 's')).isPlaying).toBe(true);
  });

  it.each(protocols)('audio only that cannot be converted is refused by %s, and recorded', async (protocol) => {
    await start();
    await publish('s', flacPackets);
    expect((await play(protocol, 's')).isPlaying).toBe(false);
    expect(playRefusals()).toMatchObject([
      { stream: 's', reason: 'codec-unsupported', detail: expect.stringContaining('flac') },
    ]);
    expect(hostCalls).toEqual([]);
  });
});

describe('a viewer', () => {
  const types: Record<string, string> = {
    RTMP: 'rtmp-play',
    SRT: 'srt-play',
    'HTTP-FLV': 'flv-play',
    'HTTP-TS': 'ts-play',
    AAC: 'aac-play',
    'WebSocket-FLV': 'flv-play',
    HLS: 'hls-play',
  };

  it.each(Object.keys(types))('over %s is counted, can be kicked, and its end is reported once', async (protocol) => {
    await start();
    await publish('s', usualPackets);
    const attempt = await play(protocol, 's');
    await attempt.repeatRequest?.();
    await until(() => viewers().length === 1);
    const { session } = viewers()[0]!;
    expect(session).toMatchObject({ type: types[protocol], clientId: hostCalls[0], ip: '127.0.0.1' });
    expect(engine.kick(session.clientId)).toBe(true);
    await until(() => stopped.length === 1 && attempt.isClosed());
    attempt.leave();
    expect([viewers().length, engine.kick(session.clientId)]).toEqual([0, false]);
    await engine.close();
    expect(stopped).toEqual([session.clientId]);
  });
});

describe('when all places are taken', () => {
  it('an HLS viewer that has not returned is displaced', async () => {
    await start({ maxConnections: 2 });
    await publish('s', usualPackets);
    expect((await play('HLS', 's')).isPlaying).toBe(true);
    expect((await play('HTTP-FLV', 's')).isPlaying).toBe(true);
    await until(() => stopped.length === 1);
    expect([stopped, viewers().map(({ session }) => session.type)]).toEqual([hostCalls.slice(0, 1), ['flv-play']]);
    expect((await play('HLS', 's')).isPlaying).toBe(false);
  });

  it.each(protocols)(
    'an HLS viewer that has not returned keeps its place when a viewer over %s is refused',
    async (protocol) => {
      await start({ maxConnections: 2 });
      await publish('s', usualPackets);
      const first = await play('HLS', 's');
      verdict = async () => ({ allowed: false, reason: 'callback-refused', detail: 'members only' });
      expect((await play(protocol, 's')).isPlaying).toBe(false);
      verdict = async () => ({ allowed: true });
      await first.repeatRequest?.();
      expect([stopped, viewers().length]).toEqual([[], 1]);
    },
  );

  it('simultaneous HLS viewers that have not returned do not exceed the limit', async () => {
    await start({ maxConnections: 3 });
    await publish('s', usualPackets);
    const crowd: Attempt[] = [];
    for (let index = 0; index < 4; index++) crowd.push(await play('HLS', 's'));
    for (const viewer of crowd.reverse()) await viewer.repeatRequest?.();
    expect(viewers()).toHaveLength(2);
  });
});

it('a HEAD request has started and ended its play when the response is sent', async () => {
  await start();
  await publish('s', usualPackets);
  expect((await fetch(`http://127.0.0.1:${at.http}/live/s.flv`, { method: 'HEAD' })).status).toBe(200);
  expect([hostCalls.length, stopped, viewers().length]).toEqual([1, hostCalls, 0]);
});

describe('a caller of SRT', () => {
  it('whose stream id names no stream is refused, and recorded', async () => {
    await start();
    expect((await play('SRT', '')).isPlaying).toBe(false);
    expect(engine.refusals()).toMatchObject([
      { protocol: 'srt', action: 'play', ip: '127.0.0.1', reason: 'protocol-error' },
    ]);
  });
});
