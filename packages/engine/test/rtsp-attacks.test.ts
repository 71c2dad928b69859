// RTSP attacks: a connection uses limited memory whatever it sends, and does not affect other connections.
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from './rtmp-server.ts';
import { interleaved, opusDescription, opusPacket, type RtspEngine, RtspPeer, startRtspEngine } from './rtsp-peer.ts';

let rtsp: RtspEngine;
const peers: RtspPeer[] = [];
beforeEach(async () => {
  rtsp = await startRtspEngine();
});
afterEach(async () => {
  for (const { socket } of peers.splice(0)) socket.destroy();
  await rtsp.engine.close();
});

async function connectPeer(): Promise<RtspPeer> {
  const peer = await RtspPeer.connect(rtsp.port);
  peers.push(peer);
  return peer;
}

const tcp = (channel: number) => ({
  Transport: `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1};mode=record`,
});
const control = (stream = 's') => `${rtsp.url(`live/${stream}`)}/streamid=0`;

async function publisherOf(stream = 's', sdp = opusDescription): Promise<RtspPeer> {
  const peer = await connectPeer();
  expect((await peer.request('ANNOUNCE', rtsp.url(`live/${stream}`), {}, sdp)).status).toBe(200);
  expect((await peer.request('SETUP', control(stream), tcp(0))).status).toBe(200);
  expect((await peer.request('RECORD', rtsp.url(`live/${stream}`))).status).toBe(200);
  return peer;
}

const bytesOf = (name = 's') => rtsp.engine.streams().find(({ stream }) => stream === name)?.receivedBytes ?? 0;
const isAlive = async (peer: RtspPeer) => (await peer.request('OPTIONS', '*')).status === 200;

describe('interleaved frames', () => {
  it('before SETUP and RECORD are dropped', async () => {
    const peer = await connectPeer();
    for (let channel = 0; channel < 256; channel++) peer.socket.write(interleaved(channel, opusPacket(channel)));
    expect(await isAlive(peer)).toBe(true);
    expect((await peer.request('ANNOUNCE', rtsp.url(), {}, opusDescription)).status).toBe(200);
    peer.socket.write(interleaved(0, opusPacket(1)));
    expect((await peer.request('SETUP', control(), tcp(0))).status).toBe(200);
    peer.socket.write(interleaved(0, opusPacket(2)));
    expect(await isAlive(peer)).toBe(true);
    expect(bytesOf()).toBe(0);
  });

  it('on channels that were not set up are dropped, in other sessions too', async () => {
    const [first, second] = [await publisherOf('first'), await publisherOf('second')];
    for (let channel = 2; channel < 256; channel++) first.socket.write(interleaved(channel, opusPacket(channel)));
    expect(await isAlive(first)).toBe(true);
    second.socket.write(interleaved(0, opusPacket(0)));
    await until(() => bytesOf('second') > 0);
    expect([bytesOf('first'), bytesOf('second')]).toEqual([0, opusPacket(0).length]);
  });

  it('of 64 KB, of zero bytes and of noise leave the session running', async () => {
    const peer = await publisherOf();
    for (const size of [0, 1, 11, 12, 65_535]) {
      for (const channel of [0, 1]) peer.socket.write(interleaved(channel, Buffer.alloc(size, 0x80)));
    }
    peer.socket.write(interleaved(0, opusPacket(1)));
    expect(await isAlive(peer)).toBe(true);
  });

  it('of RTCP, 20,000 of them, do not stop the media', async () => {
    const peer = await publisherOf();
    const byePackets = Buffer.alloc(1_200, Buffer.from('80cb0000', 'hex'));
    for (let count = 0; count < 20_000; count += 100) {
      peer.socket.write(Buffer.concat(Array.from({ length: 100 }, () => interleaved(1, byePackets))));
      if (peer.socket.writableNeedDrain) await once(peer.socket, 'drain');
    }
    const before = bytesOf();
    peer.socket.write(interleaved(0, opusPacket(1)));
    expect(await isAlive(peer)).toBe(true);
    expect(bytesOf()).toBeGreaterThan(before);
  });
});

describe('requests', () => {
  it('10,000 at once get responses in order', async () => {
    const peer = await connectPeer();
    for (let count = 0; count < 10_000; count++) peer.send('OPTIONS', '*');
    for (let number = 1; number <= 10_000; number++) {
      const { status, headers } = await peer.nextResponse();
      if (status !== 200 || headers.get('cseq') !== String(number))
        expect([status, headers.get('cseq')]).toEqual([200, number]);
    }
  });

  it('of a client that does not read the responses end the connection', async () => {
    const peer = await connectPeer();
    peer.socket.pause();
    const flood = Buffer.from('OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n'.repeat(1_000));
    let isOpen = true;
    peer.socket.on('error', () => {
      isOpen = false;
    });
    while (isOpen) await new Promise<void>((resolve) => peer.socket.write(flood, () => resolve()));
  });

  it('with 10 MB of session description are refused after the header', async () => {
    const peer = await connectPeer();
    const head = 'ANNOUNCE rtsp://h/live/s RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 10485760\r\n\r\n';
    peer.socket.write(head);
    expect((await peer.nextResponse()).status).toBe(400);
    await peer.closed;
    expect(rtsp.hostCalls).toEqual([]);
  });

  it('with thousands of media sections are refused; the first of two audio tracks is used', async () => {
    const section = 'm=audio 0 RTP/AVP 0\r\n';
    const peer = await connectPeer();
    expect((await peer.request('ANNOUNCE', rtsp.url(), {}, opusDescription + section.repeat(2_500))).status).toBe(400);
    await publisherOf('s', `${opusDescription}${section}a=control:streamid=1\r\n`);
    expect(rtsp.engine.streams()[0]?.audio?.codec).toBe('opus');
  });

  it('out of order are refused, and the session continues', async () => {
    const peer = await connectPeer();
    for (const method of ['PLAY', 'RECORD', 'PAUSE']) expect((await peer.request(method, rtsp.url())).status).toBe(455);
    expect((await peer.request('NONSENSE', rtsp.url())).status).toBe(405);
    expect((await peer.request('ANNOUNCE', rtsp.url(), {}, opusDescription)).status).toBe(200);
    expect((await peer.request('ANNOUNCE', rtsp.url('live/other'), {}, opusDescription)).status).toBe(455);
    expect((await peer.request('RECORD', rtsp.url())).status).toBe(455);
    for (let count = 0; count < 1_000; count++) {
      const { status } = await peer.request('SETUP', control(), tcp((count % 100) * 2));
      if (status !== 200) expect(status).toBe(200);
    }
    expect((await peer.request('RECORD', rtsp.url())).status).toBe(200);
    expect((await peer.request('SETUP', control(), tcp(0))).status).toBe(455);
  });

  it('truncated at every byte leave no resources in use', async () => {
    const whole = Buffer.concat([
      Buffer.from(`ANNOUNCE ${rtsp.url()} RTSP/1.0\r\nCSeq: 1\r\nContent-Length: ${opusDescription.length}\r\n\r\n`),
      Buffer.from(opusDescription),
      Buffer.from(`SETUP ${control()} RTSP/1.0\r\nCSeq: 2\r\nTransport: ${tcp(0).Transport}\r\n\r\n`),
      Buffer.from(`RECORD ${rtsp.url()} RTSP/1.0\r\nCSeq: 3\r\n\r\n`),
      interleaved(0, opusPacket(0)),
    ]);
    for (let end = 0; end <= whole.length; end++) {
      const { socket, closed } = await RtspPeer.connect(rtsp.port);
      socket.write(whole.subarray(0, end));
      if (end % 2 === 0) socket.end();
      else socket.resetAndDestroy();
      socket.resume();
      if (end % 2 === 0) socket.destroySoon();
      await closed;
    }
    await until(() => rtsp.engine.clients().length === 0);
  });
});
