// RTMP over TLS: FFmpeg publishes and plays, the certificate can be replaced, and the number of peers without a complete handshake is
// limited.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../src/index.ts';
import { maxUnusedPeersPerAddress } from '../src/listeners/rtmp-listener.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { makeCertificate } from './certificate.ts';
import { audioArgs, makeClip, packetsOf, videoArgs } from './clips.ts';
import { ffmpeg, testConfig, until } from './rtmp-server.ts';

let folder: string;
let engine: Engine;
let port: number;
const sockets = new Set<Socket>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtmps-'));
  engine = createEngine(
    { ...testConfig, rtmps: { host: '127.0.0.1', port: 0 } },
    {
      log: recordingLog(),
      isValidStream: () => true,
      authorizePublish: async () => ({ allowed: true }),
      authorizePlay: async () => ({ allowed: true }),
      onUnpublish: () => {},
      onStop: () => {},
      onHlsSegment: () => {},
    },
  );
  port = (await engine.start()).rtmpsPort!;
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await engine.close();
  await rm(folder, { recursive: true });
});

async function useCertificate(name: string): Promise<void> {
  engine.setCertificate(await makeCertificate(folder, name));
}

async function handshake(): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  sockets.add(socket);
  await once(socket, 'secureConnect');
  return socket;
}

function openSilent(): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {});
  return socket;
}

describe('RTMP over TLS', () => {
  it('FFmpeg publishes and plays', async () => {
    await useCertificate('tv.example');
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs, audioArgs('stereo', 48_000)], 3);
    const url = `rtmps://127.0.0.1:${port}/live/s`;
    const received = join(folder, 'received.flv');
    const player = ffmpeg('-tls_verify', '0', '-i', url, '-t', '2', '-c', 'copy', received);
    await until(() => engine.clients().length === 1);
    const encoder = ffmpeg('-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-tls_verify', '0', '-f', 'flv', url);
    expect(await player.done).toMatchObject({ code: 0, stderr: '' });
    expect(engine.streams()[0]?.publisher).toMatchObject({ tcUrl: `rtmps://127.0.0.1:${port}/live`, stream: 's' });
    encoder.kill();
    await encoder.done;
    const sent = new Set((await packetsOf(clip)).map(({ hash }) => hash));
    const got = await packetsOf(received);
    expect(got.length).toBeGreaterThan(100);
    expect(got.filter(({ hash }) => !sent.has(hash))).toEqual([]);
  });

  it('accepts no handshake without a certificate, and uses the newest certificate after a change', async () => {
    await expect(handshake()).rejects.toThrow();
    for (const name of ['first.example', 'second.example']) {
      await useCertificate(name);
      expect((await handshake()).getPeerCertificate().subject.CN).toBe(name);
    }
  });

  it('bounds unfinished handshakes of one address: the oldest is replaced', async () => {
    await useCertificate('tv.example');
    const oldest = openSilent();
    const closed = once(oldest, 'close');
    await once(oldest, 'connect');
    for (let i = 0; i < maxUnusedPeersPerAddress; i++) await once(openSilent(), 'connect');
    await closed;
    await handshake();
  });

  it('closes with handshakes in progress', async () => {
    await useCertificate('tv.example');
    const peer = openSilent();
    const closed = once(peer, 'close');
    await once(peer, 'connect');
    await handshake();
    await engine.close();
    await closed;
  });
});
