// RTSP over TLS: FFmpeg publishes and plays, media stays interleaved in the connection, and the certificate can be replaced.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from './certificate.ts';
import { audioArgs, videoArgs } from './clips.ts';
import { ffmpeg, type RunningProcess, until } from './rtmp-server.ts';
import { opusDescription, type RtspEngine, RtspPeer, startRtspEngine } from './rtsp-peer.ts';

const listen = { host: '127.0.0.1', port: 0 };
let folder: string;
let rtsp: RtspEngine;
const sockets: TLSSocket[] = [];
const running: RunningProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtsps-'));
  rtsp = await startRtspEngine(undefined, { rtsp: { ...listen, tls: listen, udp: listen } });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { kill, done } of running.splice(0)) {
    kill();
    await done;
  }
  await rtsp.engine.close();
  await rm(folder, { recursive: true });
});

async function handshake(): Promise<TLSSocket> {
  const socket = connect({ port: rtsp.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
  sockets.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

describe('RTSP over TLS', () => {
  it('FFmpeg publishes and plays', async () => {
    rtsp.engine.setCertificate(await makeCertificate(folder, 'tv.example'));
    const url = `rtsps://127.0.0.1:${rtsp.tlsPort}/live/s`;
    const media = [...videoArgs.input, ...audioArgs('stereo', 48_000).input, ...videoArgs.output, '-c:a', 'aac'];
    running.push(ffmpeg('-re', ...media, '-f', 'rtsp', '-rtsp_transport', 'tcp', url));
    await until(() => rtsp.engine.streams()[0]?.video !== undefined);
    const { code, stdout } = await ffmpeg('-i', url, '-t', '2', '-f', 'framecrc', '-').done;
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.startsWith('0,')).length).toBeGreaterThan(40);
  });

  it('refuses UDP, which would carry the media unencrypted', async () => {
    rtsp.engine.setCertificate(await makeCertificate(folder, 'tv.example'));
    const peer = new RtspPeer(await handshake());
    const url = `rtsps://127.0.0.1:${rtsp.tlsPort}/live/s`;
    expect((await peer.request('ANNOUNCE', url, {}, opusDescription)).status).toBe(200);
    const setUp = (transport: string) => peer.request('SETUP', `${url}/streamid=0`, { Transport: transport });
    expect((await setUp('RTP/AVP;unicast;client_port=5000-5001;mode=record')).status).toBe(461);
    expect((await setUp('RTP/AVP/TCP;unicast;interleaved=0-1;mode=record')).status).toBe(200);
  });

  it('uses the newest certificate after a change', async () => {
    await expect(handshake()).rejects.toThrow();
    for (const name of ['first.example', 'second.example']) {
      rtsp.engine.setCertificate(await makeCertificate(folder, name));
      expect((await handshake()).getPeerCertificate().subject.CN).toBe(name);
    }
  });
});

it('a port in use disables only its listener', async () => {
  const taken = { host: '127.0.0.1', port: rtsp.port };
  const other = await startRtspEngine(undefined, { rtsp: { ...taken, udp: listen } });
  try {
    expect(other.port).toBeUndefined();
    expect(other.bound.rtmpPort).toBeGreaterThan(0);
    expect(other.bound.unbound?.map(({ protocol }) => protocol)).toEqual(['rtsp']);
  } finally {
    await other.engine.close();
  }
});
