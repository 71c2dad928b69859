// Pulls on demand in a whole engine: Debian's gst-rtsp-server is the camera, with viewers of every protocol.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEngine, type Engine, type SessionInfo } from '../src/index.ts';
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
import { hasGstServer, order, startCamera } from './pull-rig.ts';
import { ffmpeg, testConfig, until } from './rtmp-server.ts';

interface Rig {
  readonly engine: Engine;
  readonly at: PlayPorts & { readonly rtsp: number };
  readonly published: string[];
}

/** Starts an engine that refuses viewers of the stream `private`. */
async function startEngine(): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'demand-'));
  const published: string[] = [];
  const listen = { host: '127.0.0.1', port: 0 };
  const engine = createEngine(
    {
      ...testConfig,
      hls: { ...testConfig.hls, enabled: true, lowLatency: true, path: join(folder, 'hls') },
      ...{ srt: { ...listen, latencyMs: 120 }, rtc: { ...listen, candidates: [] }, rtsp: listen },
    },
    {
      log: recordingLog(),
      isValidStream: ({ stream }) => /^[\w.-]+$/.test(stream),
      authorizePublish: async ({ stream }: SessionInfo) => {
        published.push(stream);
        return { allowed: true };
      },
      authorizePlay: async ({ stream }: SessionInfo) =>
        stream === 'private' ? { allowed: false, reason: 'link-missing', detail: 'no' } : { allowed: true },
      reviewPlay: ({ stream }) =>
        stream === 'private' ? { allowed: false, reason: 'link-missing', detail: 'no' } : { allowed: true },
      onUnpublish: () => {},
      onStop: () => {},
      onHlsSegment: () => {},
    },
  );
  const { rtmpPort, srtPort, rtspPort } = await engine.start();
  const server = createServer((request, response) => {
    if (!engine.handleRequest(request, response)) response.writeHead(418).end();
  });
  server.on('upgrade', (request, socket, head) => {
    if (!engine.handleUpgrade(request, socket, head)) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await engine.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  return { engine, published, at: { http: port, rtmp: rtmpPort, srt: srtPort!, rtsp: rtspPort! } };
}

const players: Record<string, StartAttempt> = {
  rtmp: playRtmp,
  srt: playSrt,
  whep: playWhep,
  flv: playHttp('flv'),
  wsflv: playWebSocket,
  ts: playHttp('ts'),
  hls: playHls,
  llhls: (ports, app, stream) => playHls(ports, app, `${stream}.ll`),
};
/** Time for which every player waits at least, milliseconds: the handshake timeout of an SRT caller. */
const shortestWaitMs = 3_000;

/**
 * Repeats playing until an attempt succeeds. On a busy machine the camera may start too late; each failed attempt must have waited for the
 * camera.
 */
async function untilPlaying(rig: Rig, name: string, play: StartAttempt): Promise<Attempt> {
  for (;;) {
    const requestedAtMs = performance.now();
    const attempt = await play(rig.at, 'live', name);
    if (attempt.isPlaying) return attempt;
    expect([name, performance.now() - requestedAtMs > shortestWaitMs - 100]).toEqual([name, true]);
  }
}

const streamsOf = ({ engine }: Rig): string[] =>
  engine.streams().flatMap(({ stream, publisher }) => (publisher ? [stream] : []));
const stateOf = ({ engine }: Rig, id: string) => engine.pulls().find((each) => each.id === id)?.state;

it('a camera on demand is not pulled for a HEAD request, which succeeds for authorized viewers', async () => {
  const rig = await startEngine();
  const nowhere = 'rtsp://127.0.0.1:1/none';
  rig.engine.configurePulls([order('cam', nowhere, { onDemand: true }), order('private', nowhere, { onDemand: true })]);
  const head = async (path: string) =>
    (await fetch(`http://127.0.0.1:${rig.at.http}/live/${path}`, { method: 'HEAD' })).status;
  const extensions = ['flv', 'ts', 'm3u8', 'll.m3u8'];
  const statuses = async (stream: string) =>
    await Promise.all(extensions.map((extension) => head(`${stream}.${extension}`)));
  expect(await statuses('cam')).toEqual([200, 200, 200, 200]);
  expect(await statuses('private')).toEqual([401, 401, 401, 401]);
  expect(await statuses('other')).toEqual([404, 404, 404, 404]);
  expect(rig.engine.pulls()).toMatchObject([
    { state: 'waiting', reason: 'none' },
    { state: 'waiting', reason: 'none' },
  ]);
});

describe.skipIf(!hasGstServer)('a camera on demand', () => {
  it('is pulled for a viewer of each protocol, and ends after the last one', async () => {
    const rig = await startEngine();
    const { port } = await startCamera();
    const url = `rtsp://127.0.0.1:${port}/aac`;
    const names = [...Object.keys(players), 'rtsp', 'unseen'];
    rig.engine.configurePulls(names.map((name) => order(name, url, { onDemand: true })));
    const facts = (stream: string) => rig.engine.watchFacts({ vhost: '__defaultVhost__', app: 'live', stream });
    expect([facts('flv').isOnDemand, facts('other').isOnDemand]).toEqual([true, undefined]);
    expect(rig.engine.pulls().map(({ state }) => state)).toEqual(names.map(() => 'waiting'));

    const rtspUrl = `rtsp://127.0.0.1:${rig.at.rtsp}/live/rtsp`;
    const rtsp = ffmpeg('-rtsp_transport', 'tcp', '-i', rtspUrl, '-t', '1', '-f', 'null', '-');
    const attempts = await Promise.all(Object.entries(players).map(([name, play]) => untilPlaying(rig, name, play)));
    expect((await rtsp.done).code).toBe(0);
    const seen = names.filter((name) => name !== 'unseen').toSorted();
    expect(rig.published.toSorted()).toEqual(seen);
    expect(stateOf(rig, 'unseen')).toBe('waiting');

    for (const attempt of attempts) attempt.leave();
    await until(() => streamsOf(rig).length === 0);
    await until(() => rig.engine.pulls().every(({ state }) => state === 'waiting'));
    expect(rig.published.toSorted()).toEqual(seen);

    const again = await playHttp('flv')(rig.at, 'live', 'flv');
    expect(again.isPlaying).toBe(true);
    again.leave();
  });

  it('changes to a permanent pull and back without an interruption', async () => {
    const rig = await startEngine();
    const { port } = await startCamera();
    const cam = order('cam', `rtsp://127.0.0.1:${port}/aac`, { onDemand: true });
    rig.engine.configurePulls([cam]);
    const viewer = await playHttp('flv')(rig.at, 'live', 'cam');
    rig.engine.configurePulls([{ ...cam, onDemand: false }]);
    viewer.leave();
    await until(() => rig.engine.clients().every(({ publish }) => publish));
    expect(stateOf(rig, 'cam')).toBe('pulling');
    rig.engine.configurePulls([cam]);
    await until(() => stateOf(rig, 'cam') === 'waiting');
    rig.engine.configurePulls([{ ...cam, onDemand: false }]);
    await until(() => stateOf(rig, 'cam') === 'pulling');
    expect(rig.published).toEqual(['cam', 'cam']);
  });

  it('is not pulled for viewers without authorization, nor while there is another publisher', async () => {
    const rig = await startEngine();
    const { port } = await startCamera();
    const url = `rtsp://127.0.0.1:${port}/aac`;
    rig.engine.configurePulls([order('private', url, { onDemand: true }), order('taken', url, { onDemand: true })]);
    for (const play of Object.values(players)) expect((await play(rig.at, 'live', 'private')).isPlaying).toBe(false);
    const encoder = ffmpeg(
      ...['-re', '-f', 'lavfi', '-i', 'testsrc=s=128x72:r=10', '-c:v', 'libx264', '-g', '10', '-preset', 'ultrafast'],
      ...['-f', 'flv', `rtmp://127.0.0.1:${rig.at.rtmp}/live/taken`],
    );
    onTestFinished(() => encoder.kill());
    await until(() => streamsOf(rig).includes('taken'));
    const viewer = await playHttp('flv')(rig.at, 'live', 'taken');
    expect(viewer.isPlaying).toBe(true);
    viewer.leave();
    expect(rig.published).toEqual(['taken']);
  });

  it('that cannot be pulled refuses its viewers without a long wait', async () => {
    const rig = await startEngine();
    const { port } = await startCamera('--auth', 'basic');
    rig.engine.configurePulls([order('cam', `rtsp://admin:wrong@127.0.0.1:${port}/aac`, { onDemand: true })]);
    const { responseText } = await playHttp('flv')(rig.at, 'live', 'cam');
    expect(responseText).toMatch(/^404 .*is not being published/);
    expect(rig.engine.pulls()[0]).toMatchObject({ reason: 'not-authorized' });
    expect((await playHls(rig.at, 'live', 'cam')).responseText).toMatch(/^404 /);
  });
});
