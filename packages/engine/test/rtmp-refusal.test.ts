// Refused RTMP peers: what the encoder shows, what is logged, and that other peers are not affected.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeUserControl } from '@srs-stack/media/protocols/rtmp/control-messages.ts';
import {
  connectObject,
  writeCall,
  writeHello,
  writeMessage,
  writePlayCalls,
  writePublishCalls,
} from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxUnusedPeersPerAddress } from '../src/listeners/rtmp-listener.ts';
import type { EnginePorts, Verdict } from '../src/ports.ts';
import { makeClip, videoArgs } from './clips.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { ffmpeg, type ProcessResult, type RtmpServer, startRtmpServer, until } from './rtmp-server.ts';

const key = { vhost: defaultVhost, app: 'live', stream: 's' };
let folder: string;
let server: RtmpServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtmp-refusal-'));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

async function serve(ports: Partial<EnginePorts> = {}, maxConnections = 100): Promise<RtmpServer> {
  server = await startRtmpServer({ ports, config: { maxConnections } });
  return server;
}

const wrongSecret: Verdict = { allowed: false, reason: 'publish-secret-wrong', detail: 'the secret is not right' };

function publishTone(url: string): Promise<ProcessResult> {
  const tone = ['-re', '-f', 'lavfi', '-i', 'anullsrc', '-t', '20', '-c:a', 'aac'];
  return ffmpeg(...tone, '-f', 'flv', url).done;
}

describe('FFmpeg is refused with a reason that it prints', () => {
  it('when the secret is wrong', async () => {
    const { url, refusals, ended } = await serve({ authorizePublish: async () => wrongSecret });
    const { code, stderr } = await publishTone(`${url}/live/s?secret=no`);
    expect(code).not.toBe(0);
    expect(stderr).toContain('publish-secret-wrong: the secret is not right');
    expect(refusals).toEqual([
      {
        atMs: expect.any(Number),
        protocol: 'rtmp',
        action: 'publish',
        ip: '127.0.0.1',
        app: 'live',
        stream: 's',
        reason: 'publish-secret-wrong',
        detail: 'the secret is not right',
      },
    ]);
    expect(ended).toEqual([]);
  });

  it('when the name is not allowed', async () => {
    let hostCalls = 0;
    const { url, refusals } = await serve({
      authorizePublish: async () => {
        hostCalls++;
        return { allowed: true };
      },
    });
    const { stderr } = await publishTone(`${url}/live/a:b`);
    expect(stderr).toContain('name-invalid');
    expect(refusals).toMatchObject([{ reason: 'name-invalid', stream: 'a:b' }]);
    expect(hostCalls).toBe(0);
  });

  it('when the name contains a secret, which neither log nor list repeats', async () => {
    const { port, refusals, logged } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(writeHello(), writePublishCalls('s%3Fsecret%3DX1Y2Z3'));
    await peer.closed;
    expect(refusals).toMatchObject([{ reason: 'name-invalid', app: 'live', stream: 's…' }]);
    expect(JSON.stringify([refusals, logged])).not.toContain('X1Y2Z3');
  });

  it('when another publisher sends, which is not affected', async () => {
    const { url, hub, refusals } = await serve();
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs], 4);
    const first = ffmpeg('-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'flv', `${url}/live/s`);
    await until(() => hub.streams(0)[0]?.hasMedia === true);
    const { code, stderr } = await publishTone(`${url}/live/s`);
    expect(code).not.toBe(0);
    expect(stderr).toContain('stream-busy: live/s is already being published');
    expect(refusals).toMatchObject([{ reason: 'stream-busy' }]);
    expect(hub.isPublished(key)).toBe(true);
    first.kill('SIGINT');
    expect(await first.done).toEqual({ code: 255, stdout: '', stderr: '' });
  });

  it('when it may not play', async () => {
    const { url, refusals } = await serve({
      authorizePlay: async () => ({ ...wrongSecret, reason: 'callback-refused' }),
    });
    const { stderr } = await ffmpeg('-i', `${url}/live/s`, '-f', 'null', '-').done;
    expect(stderr).toContain('callback-refused: the secret is not right');
    expect(refusals).toMatchObject([{ action: 'play', reason: 'callback-refused' }]);
  });
});

const audio = (timestamp: number): Buffer =>
  writeMessage({ typeId: 8, streamId: 1, timestamp, payload: Buffer.from('2f00', 'hex') }, 4);

describe('a second publisher', () => {
  it('takes over when the first has been silent, and its viewers stay', async () => {
    const { port, hub, skip, ended } = await serve();
    const first = new RtmpPeer(port);
    first.send(writeHello(), writePublishCalls('s'), audio(0));
    await until(() => hub.isPublished(key));
    const viewer = new RtmpPeer(port);
    viewer.send(writeHello(), writePlayCalls('s'));
    await until(() => hub.clients(0).length === 2);
    skip(1000);
    const second = new RtmpPeer(port);
    second.send(writeHello(), writePublishCalls('s'), audio(0));
    await until(() => second.server.codes.includes('NetStream.Publish.Start'));
    skip(2500);
    await first.closed;
    await until(() => hub.clients(0).length === 2);
    expect(ended).toMatchObject([{ type: 'fmle-publish' }]);
    expect(viewer.socket.destroyed).toBe(false);
    await Promise.all([second.close(), viewer.close()]);
  });
});

describe('a hostile peer', () => {
  it.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a giant chunk', Buffer.concat([writeHello(), Buffer.from('04000000ffffff0901000000', 'hex')])],
    ['a command before connect', Buffer.concat([writeHello(), writeCall('createStream', 1, null)])],
  ])('%s is closed immediately and logged', async (_name, data) => {
    const { port, logged, refusals } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(data);
    await peer.closed;
    expect(logged).toMatchObject([{ message: 'RTMP session refused', fields: { reason: 'protocol-error' } }]);
    expect(refusals).toEqual([]); // no stream name: port scanners must not fill the operator's list
  });

  it('that violates the protocol while it publishes gets a status, and is listed', async () => {
    const { port, refusals, hub, ended } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(writeHello(), writePublishCalls('s'), audio(0), Buffer.from('04000000ffffff0901000000', 'hex'));
    await peer.closed;
    expect(peer.server.codes.at(-1)).toBe('NetStream.Publish.Denied');
    expect(refusals).toMatchObject([{ reason: 'protocol-error', stream: 's' }]);
    expect(ended).toHaveLength(1);
    expect(hub.isPublished(key)).toBe(false);
  });

  const media = (typeId: number, timestamp: number, hex: string): Buffer =>
    writeMessage({ typeId, streamId: 1, timestamp, payload: Buffer.from(hex, 'hex') }, 4);

  it.each([
    ['audio alone, for 5 s of its clock', [media(8, 7, 'b6aabb'), media(8, 5007, 'b6aabb')], 'Speex'],
    ['audio and video', [media(8, 0, 'b6aabb'), media(9, 0, '2200')], 'Sorenson H.263'],
  ])('that sends only unknown codecs gets that reason: %s', async (_name, messages, codec) => {
    const { port, refusals } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(writeHello(), writePublishCalls('s'), ...messages);
    await peer.closed;
    expect(refusals).toMatchObject([{ reason: 'codec-unsupported', detail: `codec ${codec} is not supported` }]);
  });

  it('that sends only malformed messages gets that reason after 5 s of its clock', async () => {
    const { port, refusals } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(writeHello(), writePublishCalls('s'), media(9, 0, '17'), media(8, 5000, 'af'));
    await peer.closed;
    expect(refusals).toMatchObject([{ reason: 'protocol-error' }]);
  });

  it('that sends thousands of malformed messages causes two log lines', async () => {
    const { port, hub, logged } = await serve();
    const peer = new RtmpPeer(port);
    const flood = Array.from({ length: 5000 }, () => media(9, 40, '17'));
    const metadata = Array.from({ length: 500 }, () => media(18, 40, '02'));
    peer.send(writeHello(), writePublishCalls('s'), audio(0), ...flood, ...metadata, audio(40));
    await until(() => hub.streams(0)[0]?.health.recentDroppedOther === 500);
    expect(hub.streams(0)[0]?.health).toMatchObject({ recentDroppedVideo: 5000, recentDroppedAudio: 0 });
    await peer.close();
    await until(() => !hub.isPublished(key));
    const lines = logged.filter(({ message }) => message === 'malformed messages of the encoder were dropped');
    expect(lines.map(({ fields }) => (fields as { dropped: number }).dropped)).toEqual([1, 5499]);
  });

  it('with a slow handshake is closed after 10 s', async () => {
    const { port, skip, logged, listener } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(writeHello().subarray(0, 10));
    await until(() => listener.connections === 1);
    skip(10_000);
    await peer.closed;
    expect(logged).toMatchObject([{ fields: { reason: 'timeout', detail: 'the client sent no handshake in time' } }]);
  });

  it('that connects and requests nothing is closed after 15 s', async () => {
    const { port, skip, logged } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(writeHello(), writeCall('connect', 1, connectObject));
    await until(() => peer.server.codes.length === 1);
    skip(15_000);
    await peer.closed;
    expect(logged).toMatchObject([
      { fields: { reason: 'timeout', detail: 'the client sent no publish or play command in time' } },
    ]);
  });

  it('that sends commands without reading the responses is closed', async () => {
    const { port, logged } = await serve();
    const peer = new RtmpPeer(port);
    peer.socket.pause();
    peer.send(writeHello(), writeCall('connect', 1, connectObject));
    const questions = Buffer.concat(Array.from({ length: 2000 }, (_, i) => writeCall('createStream', i + 2, null)));
    for (let i = 0; i < 1000 && logged.length === 0; i++) {
      peer.send(questions);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => logged.length > 0);
    expect(logged[0]).toMatchObject({ fields: { detail: 'the client does not read the responses sent to it' } });
    await peer.close();
  });

  it('that plays and sends commands without reading the responses is closed', async () => {
    const { port, logged, hub } = await serve();
    const peer = new RtmpPeer(port);
    peer.send(writeHello(), writePlayCalls('s'));
    await until(() => hub.clients(0).length === 1);
    peer.socket.pause();
    const ping = writeMessage(writeUserControl(6, 1), 2);
    const pings = Buffer.concat(Array.from({ length: 3_000 }, () => ping));
    for (let i = 0; i < 2_000 && !peer.socket.destroyed && hub.clients(0).length > 0; i++) {
      peer.send(pings);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => hub.clients(0).length === 0);
    const details = logged.map(({ fields }) => (fields as { detail?: string }).detail);
    expect(details).toContain('the client does not read the responses sent to it');
    await peer.close();
  });

  it('above the connection limit replaces the one that has been idle longest', async () => {
    const { port, logged, listener, hub } = await serve({}, 3);
    const publisher = new RtmpPeer(port);
    publisher.send(writeHello(), writePublishCalls('s'), audio(0));
    await until(() => hub.isPublished(key));
    const peers = [new RtmpPeer(port), new RtmpPeer(port)];
    await until(() => listener.connections === 3);
    const newest = new RtmpPeer(port);
    newest.send(writeHello(), writePlayCalls('s'));
    await until(() => hub.clients(0).length === 2);
    await Promise.race(peers.map(({ closed }) => closed));
    const closed = 'idle RTMP connection was closed to make room for a new connection';
    expect(logged.filter(({ message }) => message === closed)).toHaveLength(1);
    expect(peers.filter(({ socket }) => socket.destroyed)).toHaveLength(1);
    await Promise.all([publisher, newest, ...peers].map((peer) => peer.close()));
  });

  it('above the connection limit is closed when all others publish or play', async () => {
    const { port, logged, hub } = await serve({}, 2);
    const peers = ['a', 'b'].map((stream) => {
      const peer = new RtmpPeer(port);
      peer.send(writeHello(), writePublishCalls(stream), audio(0));
      return peer;
    });
    await until(() => hub.clients(0).length === 2);
    const third = new RtmpPeer(port);
    await third.closed;
    expect(logged.at(-1)).toMatchObject({ message: 'RTMP connection refused: connection limit reached' });
    expect(peers.map(({ socket }) => socket.destroyed)).toEqual([false, false]);
    await Promise.all(peers.map((peer) => peer.close()));
  });

  it('is admitted however many idle peers its address has', async () => {
    const { port, hub } = await serve({}, 2 * maxUnusedPeersPerAddress);
    const idle = Array.from({ length: maxUnusedPeersPerAddress + 5 }, () => new RtmpPeer(port));
    await until(() => idle.filter(({ socket }) => socket.destroyed).length === 5);
    const publisher = new RtmpPeer(port);
    publisher.send(writeHello(), writePublishCalls('s'), audio(0));
    await until(() => hub.isPublished(key));
    await Promise.all([publisher, ...idle].map((peer) => peer.close()));
  });
});

describe('the host is slow', () => {
  it('a publisher that leaves before the response is not admitted', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    const { port, hub, ended, listener } = await serve({ authorizePublish: () => promise });
    const peer = new RtmpPeer(port);
    peer.send(writeHello(), writePublishCalls('s'));
    await until(() => peer.server.codes.length > 0);
    await peer.close();
    await until(() => listener.connections === 0);
    resolve({ allowed: true });
    await until(() => ended.length === 1);
    expect(hub.isPublished(key)).toBe(false);
  });
});

describe('closing the listener', () => {
  it('ends publishers and players and releases the port', async () => {
    const { port, listener, hub, ended } = await serve();
    const publisher = new RtmpPeer(port);
    publisher.send(writeHello(), writePublishCalls('s'), audio(0));
    const player = new RtmpPeer(port);
    player.send(writeHello(), writePlayCalls('s'));
    await until(() => hub.clients(0).length === 2);
    await listener.close();
    await Promise.all([publisher.closed, player.closed]);
    expect(ended).toHaveLength(2);
    expect(listener.connections).toBe(0);
  });
});
