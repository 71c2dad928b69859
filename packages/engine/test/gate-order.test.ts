// A refused caller changes nothing, in any protocol: no publisher is ended on any gateway, no viewer is displaced, and no stream is pulled.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHello, writePublishCalls } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine, type EngineConfig, type StreamOrigins, type Verdict } from '../src/index.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import {
  type PlayPorts,
  playHls,
  playHttp,
  playRtmp,
  playSrt,
  playWebSocket,
  playWhep,
  type StartAttempt,
} from './players.ts';
import { publishRtmp, publishSrt, publishWhip } from './publishers.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { testConfig, until } from './rtmp-server.ts';

const refusal: Verdict = { allowed: false, reason: 'publish-secret-wrong', detail: 'the secret is wrong' };
const publishers: Record<string, StartAttempt> = { RTMP: publishRtmp, SRT: publishSrt, WHIP: publishWhip };
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

let folder: string;
let engine: Engine;
let server: Server;
let at: PlayPorts;
let verdict: Verdict;
/** Streams that are published on another gateway. */
let elsewhere: Set<string>;
/** Effects on other sessions, in order. */
let changes: string[];
let close: (() => void)[];

const origins: StreamOrigins = {
  publishedSince: ({ stream }) => (elsewhere.has(stream) ? 1 : undefined),
  isRemote: () => false,
  whenKnown: async () => undefined,
  onAppear: () => () => undefined,
  isSending: async () => false,
  takeOver: async ({ stream }) => {
    changes.push(`${stream} taken over`);
    return elsewhere.delete(stream);
  },
  pull: async ({ stream }) => {
    changes.push(`${stream} pulled`);
    throw new Error('there is none');
  },
  requestKeyframe: ({ stream }) => void changes.push(`${stream} gets a keyframe request`),
  forward: () => false,
  countSent: () => undefined,
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gate-order-'));
  elsewhere = new Set();
  changes = [];
  close = [];
  verdict = { allowed: true };
});

afterEach(async () => {
  for (const step of close) step();
  await engine.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

async function start(overrides: Partial<EngineConfig> = {}): Promise<void> {
  const config: EngineConfig = {
    ...testConfig,
    hls: { ...testConfig.hls, enabled: true, path: join(folder, 'hls') },
    srt: { host: '127.0.0.1', port: 0, latencyMs: 120 },
    rtc: { host: '127.0.0.1', port: 0, candidates: [] },
    ...overrides,
  };
  engine = createEngine(config, {
    log: recordingLog(),
    isValidStream: () => true,
    authorizePublish: async () => verdict,
    authorizePlay: async () => verdict,
    onUnpublish: ({ stream }) => void changes.push(`${stream} unpublished`),
    onStop: ({ stream }) => void changes.push(`${stream} stopped`),
    onHlsSegment: () => undefined,
    origins,
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

async function publishSilently(stream: string): Promise<void> {
  const peer = new RtmpPeer(at.rtmp);
  close.push(() => peer.socket.destroy());
  peer.send(writeHello(), writePublishCalls(stream));
  await until(() => engine.isPublished({ vhost: '__defaultVhost__', app: 'live', stream }));
}

async function isAdmitted(startAttempt: StartAttempt, stream: string): Promise<boolean> {
  const attempt = await startAttempt(at, 'live', stream);
  close.push(() => attempt.leave());
  return attempt.isPlaying;
}

describe.each(Object.entries(publishers))('a publisher over %s', (_name, publish) => {
  it('that is refused does not end a silent publisher of another gateway, and replaces it when authorized', async () => {
    await start();
    elsewhere.add('s');
    verdict = refusal;
    expect([await isAdmitted(publish, 's'), changes, [...elsewhere]]).toEqual([false, [], ['s']]);
    verdict = { allowed: true };
    expect([await isAdmitted(publish, 's'), changes]).toEqual([true, ['s taken over']]);
  });

  it('that is refused does not end a silent publisher of this gateway, and replaces it when authorized', async () => {
    await start({ takeoverSilenceMs: 1 });
    await publishSilently('s');
    verdict = refusal;
    expect([await isAdmitted(publish, 's'), changes]).toEqual([false, []]);
    verdict = { allowed: true };
    expect(await isAdmitted(publish, 's')).toBe(true);
    await until(() => changes.includes('s unpublished'));
  });
});

describe.each(Object.entries(players))('a viewer over %s', (_name, play) => {
  it('that is refused does not pull a stream from another gateway', async () => {
    await start();
    elsewhere.add('s');
    verdict = refusal;
    expect([await isAdmitted(play, 's'), changes]).toEqual([false, []]);
  });
});
