import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, get as getTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine, type EnginePorts } from '../src/index.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { audioArgs, makeClip, packetsOf, videoArgs } from './clips.ts';
import { startFlvRig, watch } from './flv-rig.ts';
import { ffmpeg, type RunningProcess, testConfig, until } from './rtmp-server.ts';

let folder: string;
let engine: Engine;
let http: Server;
let base: string;
let rtmp: string;
let encoder: RunningProcess | undefined;
let ended: string[];

const ports: EnginePorts = {
  log: recordingLog(),
  isValidStream: () => true,
  authorizePublish: async ({ param }) =>
    param.includes('wrong')
      ? { allowed: false, reason: 'publish-secret-wrong', detail: 'wrong secret' }
      : { allowed: true },
  authorizePlay: async () => ({ allowed: true }),
  onUnpublish: ({ type }) => ended.push(type),
  onStop: ({ type }) => ended.push(type),
  onHlsSegment: () => {},
};

beforeEach(async () => {
  ended = [];
  encoder = undefined;
  folder = await mkdtemp(join(tmpdir(), 'engine-test-'));
  const hls = { ...testConfig.hls, enabled: true, path: join(folder, 'hls'), fragmentSeconds: 1 };
  engine = createEngine({ ...testConfig, hls, takeoverSilenceMs: 1000 }, ports);
  const { rtmpPort } = await engine.start();
  http = createServer((request, response) => {
    if (!engine.handleRequest(request, response)) response.writeHead(404).end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  rtmp = `rtmp://127.0.0.1:${rtmpPort}/live`;
});

afterEach(async () => {
  encoder?.kill();
  await engine.close();
  http.closeAllConnections();
  http.close();
  await rm(folder, { recursive: true });
});

/** Publishes a clip in real time: video with B-frames and stereo audio. A short clip is repeated. */
async function publishClip({ seconds = 2, loops = 20 } = {}): Promise<string> {
  const clip = join(folder, 'clip.flv');
  await makeClip(clip, [videoArgs, audioArgs('stereo', 48_000)], seconds);
  const input = ['-re', '-stream_loop', String(loops), '-i', clip];
  encoder = ffmpeg(...input, '-c', 'copy', '-f', 'flv', `${rtmp}/s`);
  await until(() => engine.streams().some(({ hasMedia }) => hasMedia));
  return clip;
}

describe('engine', () => {
  it('carries what FFmpeg publishes to HTTP-FLV unchanged: frames, times, B-frames, audio', async () => {
    const clip = await publishClip({ seconds: 6, loops: 0 });
    const received = join(folder, 'received.flv');
    const player = await ffmpeg('-i', `${base}/live/s.flv`, '-t', '3', '-c', 'copy', received).done;
    expect(player.stderr).toBe('');
    const sent = await packetsOf(clip);
    const got = await packetsOf(received);
    for (const kind of ['video', 'audio'] as const) {
      const sentHashes = new Set(sent.filter((packet) => packet.kind === kind).map(({ hash }) => hash));
      const packets = got.filter((packet) => packet.kind === kind);
      expect(packets.length).toBeGreaterThan(60);
      expect(packets.filter(({ hash }) => !sentHashes.has(hash))).toEqual([]);
      const steps = packets.slice(1).map(({ dtsMs }, i) => dtsMs - packets[i]!.dtsMs);
      expect(Math.min(...steps)).toBeGreaterThan(0);
      expect(Math.max(...steps)).toBeLessThanOrEqual(kind === 'video' ? 41 : 43);
    }
    expect(got.find(({ kind }) => kind === 'video')?.keyframe).toBe(true);
    const decoded = await ffmpeg('-xerror', '-i', received, '-f', 'null', '-').done;
    expect(decoded).toMatchObject({ code: 0, stderr: '' });
  });

  it('reports stream and clients correctly, and ends kicked clients', async () => {
    await publishClip();
    const player = ffmpeg('-i', `${base}/live/s.flv`, '-c', 'copy', '-f', 'null', '-');
    await until(() => engine.streams()[0]!.fps > 20 && engine.clients().length === 2);
    const [stream] = engine.streams();
    expect(stream).toMatchObject({
      app: 'live',
      stream: 's',
      clients: 2,
      hasMedia: true,
      video: { codec: 'h264', width: 320, height: 180 },
      audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
      timestampRepairs: 0,
    });
    expect(stream!.id).toMatch(/^vid-[0-9a-z]{7}$/);
    const [publisher, viewer] = engine.clients();
    expect(publisher).toMatchObject({ publish: true, streamId: stream!.id, session: { type: 'fmle-publish' } });
    expect(viewer).toMatchObject({
      publish: false,
      streamId: stream!.id,
      session: { type: 'flv-play' },
      droppedFrames: 0,
    });
    expect(engine.totals()).toMatchObject({ connections: 2 });
    expect(engine.kick(viewer!.session.clientId)).toBe(true);
    await player.done;
    expect(engine.kick(publisher!.session.clientId)).toBe(true);
    await until(() => ended.length === 2);
    expect(ended).toEqual(['flv-play', 'fmle-publish']);
    expect(engine.kick('unknown0')).toBe(false);
  });

  it('lists refused clients', async () => {
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs], 1);
    await ffmpeg('-i', clip, '-c', 'copy', '-f', 'flv', `${rtmp}/s?secret=wrong`).done;
    expect(engine.refusals()).toMatchObject([
      { protocol: 'rtmp', action: 'publish', reason: 'publish-secret-wrong', stream: 's' },
    ]);
    expect(engine.streams()).toEqual([]);
  });

  it('serves HLS of the same stream, and leaves other paths to its host', async () => {
    await publishClip();
    let playlist = '';
    while (!playlist.includes('.ts')) {
      const master = await (await fetch(`${base}/live/s.m3u8`)).text();
      const media = master.split('\n').find((line) => line.includes('hls_ctx'));
      playlist = media ? await (await fetch(new URL(media, base))).text() : '';
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(playlist).toContain('#EXTINF');
    for (const path of ['/mgmt', '/live/s', '/']) expect((await fetch(`${base}${path}`)).status).toBe(404);
  });

  it('stops quickly with an encoder and a player connected', async () => {
    await publishClip();
    const player = ffmpeg('-i', `${base}/live/s.flv`, '-c', 'copy', '-f', 'null', '-');
    await until(() => engine.clients().length === 2);
    await engine.close();
    await Promise.all([player.done, encoder!.done]);
    await engine.close();
    expect(ended.sort()).toEqual(['flv-play', 'fmle-publish']);
  });
});

describe('FLV over TLS', () => {
  it('carries the same stream', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=localhost',
    ];
    await promisify(execFile)('openssl', [...args, '-days', '1', '-keyout', key, '-out', cert]);
    const rig = await startFlvRig({
      server: createTlsServer({ key: await readFile(key), cert: await readFile(cert) }),
    });
    try {
      const publication = rig.publish();
      for (const packet of [keyframe(0, { bytes: 300_000 }), audio(5)]) publication.push(packet);
      const call = getTls({ port: rig.port, path: '/live/s.flv', agent: false, rejectUnauthorized: false });
      const viewer = await watch(call);
      for (let i = 1; i < 50; i++) publication.push(video(i * 40, { bytes: 5000 }));
      await until(() => viewer.flv.videoTimes.length === 50);
      expect(rig.hub.clients(0)[1]?.session.tcUrl).toMatch(/^https:/);
    } finally {
      await rig.close();
    }
  });
});
