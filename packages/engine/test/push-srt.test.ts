// Pushes over SRT to listeners of this project and of libsrt: network interruptions, passphrases, and names with several addresses.
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { SrtListener } from '@srs-stack/srt';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alternating } from '../src/util/srt-addresses.ts';
import { order, sourceKey, usePushRig } from './push-rig.ts';
import { start, until } from './rtmp-server.ts';

const rig = usePushRig();
const { rowOf, untilState, publish } = rig;
const passphrase = 'correct horse battery';
const silent = () => undefined;

interface SrtTarget {
  readonly port: number;
  readonly frames: Packet[];
  readonly streamIds: string[];
}

async function startTarget(host = '127.0.0.1', secret?: string): Promise<SrtTarget> {
  const frames: Packet[] = [];
  const streamIds: string[] = [];
  const latency = { receiverLatencyMs: 120, senderLatencyMs: 120 };
  const listener = new SrtListener(secret ? { ...latency, passphrase: secret } : latency, {
    onRequest: (request) => {
      streamIds.push(request.streamId);
      const onPacket = (packet: Packet) => void (packet.track.kind === 'video' && frames.push(packet));
      const demuxer = new TsDemuxer({ onTrack: silent, onPacket });
      const onPayload = (payload: Buffer) => demuxer.push(payload);
      request.accept({ onPayload, onClosed: silent }, performance.now() * 1_000);
    },
  });
  onTestFinished(() => listener.close());
  return { port: await listener.listen(0, host), frames, streamIds };
}

/** A network between callers and a target, which a test can interrupt. */
async function startNetwork(targetPort: number) {
  const network = { port: 0, isCut: false };
  const outside = createSocket('udp4');
  const flows = new Map<number, Socket>();
  outside.on('message', (datagram, { port, address }) => {
    let inside = flows.get(port);
    if (!inside) {
      inside = createSocket('udp4').on('error', silent);
      inside.on('message', (received) => void (network.isCut || outside.send(received, port, address)));
      flows.set(port, inside);
    }
    if (!network.isCut) inside.send(datagram, targetPort, '127.0.0.1');
  });
  outside.bind(0, '127.0.0.1');
  await once(outside, 'listening');
  onTestFinished(() => {
    for (const socket of [outside, ...flows.values()]) socket.close();
  });
  network.port = outside.address().port;
  return network;
}

const gapsOf = (frames: readonly Packet[]): number[] =>
  frames.flatMap(({ dtsMs }, index) => (index > 0 && dtsMs - frames[index - 1]!.dtsMs > 60 ? [index] : []));

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

describe('a push over SRT', () => {
  it('continues with a keyframe after an interruption, and other targets receive every frame', async () => {
    const [target, other] = [await startTarget(), await startTarget()];
    const network = await startNetwork(target.port);
    rig.pushes.configure([
      // Latency of 0.9 s: the push drops packets during the interruption, but can retransmit lost packets at other times.
      order('a', `srt://127.0.0.1:${network.port}?streamid=a&latency=900000`, ''),
      // A latency of seconds, so that a busy machine drops nothing.
      order('b', `srt://127.0.0.1:${other.port}?streamid=b&latency=5000000`, ''),
    ]);
    publish();
    await until(() => target.frames.length > 25 && other.frames.length > 25);
    network.isCut = true;
    await until(() => rowOf('a').droppedFrames > 0);
    network.isCut = false;
    const before = target.frames.length;
    await until(() => target.frames.length > before + 60);

    expect(rowOf('a')).toMatchObject({ state: 'publishing', reconnects: 0, reason: 'none' });
    expect(rowOf('b')).toMatchObject({ state: 'publishing', reconnects: 0, droppedFrames: 0 });
    const gaps = gapsOf(target.frames);
    expect(gaps.length).toBeGreaterThan(0);
    for (const index of gaps) expect(target.frames[index]!.keyframe, `frame ${index}`).toBe(true);
    expect(gapsOf(other.frames)).toEqual([]);
    const { sentFrames, droppedFrames } = rowOf('b');
    expect(sentFrames + droppedFrames).toBeGreaterThan(rowOf('a').sentFrames);
  });

  it('disconnects from a target that is silent for ten seconds', async () => {
    const target = await startTarget();
    const network = await startNetwork(target.port);
    rig.pushes.configure([order('a', `srt://127.0.0.1:${network.port}`, '')]);
    publish();
    await until(() => target.frames.length > 10);
    network.isCut = true;
    await until(() => rowOf('a').reason !== 'none');
    expect(rowOf('a')).toMatchObject({ reason: 'stalled', state: 'retrying' });
  });

  it('encrypts for a listener with a passphrase, and reports a wrong passphrase', async () => {
    const target = await startTarget('127.0.0.1', passphrase);
    const server = `srt://127.0.0.1:${target.port}?streamid=x`;
    rig.pushes.configure([
      order('right', `${server}&passphrase=${encodeURIComponent(passphrase)}&pbkeylen=32`, ''),
      order('wrong', `${server}&passphrase=not%20the%20passphrase`, ''),
      order('missing', server, ''),
    ]);
    publish();
    await until(() => target.frames.length > 25);
    expect(rowOf('right')).toMatchObject({ state: 'publishing', reconnects: 0 });
    for (const id of ['wrong', 'missing']) {
      await until(() => rowOf(id).reason !== 'none');
      expect(rowOf(id), id).toMatchObject({
        reason: 'not-authorized',
        detail: 'the SRT passphrase is missing or wrong',
      });
    }
    expect(target.streamIds).toEqual(['x']);
  });

  it.each([
    ['the right passphrase', passphrase, 'none'],
    ['another passphrase', 'a wrong passphrase', 'not-authorized'],
  ])('srt-live-transmit with %s', async (_name, secret, reason) => {
    const port = await freeUdpPort();
    const listening = `srt://127.0.0.1:${port}?mode=listener&passphrase=${passphrase}&pbkeylen=16`;
    const receiver = start('srt-live-transmit', ['-q', '-a:no', listening, 'file://con']);
    onTestFinished(() => receiver.kill());
    const frames: Packet[] = [];
    const demuxer = new TsDemuxer({ onTrack: silent, onPacket: (packet) => frames.push(packet) });
    receiver.child.stdout.on('data', (data: Buffer) => demuxer.push(data));
    rig.pushes.configure([order('a', `srt://127.0.0.1:${port}?passphrase=${encodeURIComponent(secret)}`, '')]);
    publish();
    if (reason === 'none') await until(() => frames.length > 50);
    // Earlier attempts fail with other reasons, because the port is closed until the program listens.
    else await until(() => rowOf('a').reason === reason);
    expect(rowOf('a').reason).toBe(reason);
    expect(frames.length > 0).toBe(reason === 'none');
  });

  it('tries the other addresses of a name, and reports why none of them works', async () => {
    const addresses = await lookup('localhost', { all: true });
    const target = await startTarget(addresses.at(-1)!.address);
    const closed = await freeUdpPort();
    const deaf = createSocket('udp4').bind(0, '127.0.0.1');
    await once(deaf, 'listening');
    onTestFinished(() => void deaf.close());
    rig.pushes.configure([
      order('good', `srt://localhost:${target.port}`, ''),
      order('closed', `srt://localhost:${closed}`, ''),
      order('deaf', `srt://127.0.0.1:${deaf.address().port}`, ''),
      order('unknown', 'srt://no-such-host.invalid:9000', ''),
    ]);
    publish();
    await untilState('good', 'publishing');
    await until(() => target.frames.length > 25);
    for (const [id, reason] of [
      ['closed', 'connection-refused'],
      ['deaf', 'timeout'],
      ['unknown', 'host-unknown'],
    ] as const) {
      await until(() => rowOf(id).reason !== 'none');
      expect(rowOf(id), id).toMatchObject({ reason });
    }
    expect(rowOf('good')).toMatchObject({ state: 'publishing', reconnects: 0 });
    // All targets share one output, which is one reader of the stream.
    expect(rig.source.hub.find(sourceKey)!.readerCount).toBe(1);
  });

  it('alternates between the address families of a name', () => {
    const four = (address: string) => ({ address, family: 4 });
    const six = (address: string) => ({ address, family: 6 });
    expect(alternating([six('a'), six('b'), four('c')])).toEqual(['a', 'c', 'b']);
    expect(alternating([four('a'), four('b')])).toEqual(['a', 'b']);
    expect(alternating([])).toEqual([]);
  });
});
