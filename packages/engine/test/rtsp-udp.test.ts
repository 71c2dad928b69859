// RTSP with media over UDP: which session receives a datagram, and where media is sent.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from './rtmp-server.ts';
import { interleaved, opusDescription, opusPacket, type RtspEngine, RtspPeer, startRtspEngine } from './rtsp-peer.ts';

let rtsp: RtspEngine;
const sockets: Socket[] = [];
const peers: RtspPeer[] = [];
beforeEach(async () => {
  rtsp = await startRtspEngine();
});
afterEach(async () => {
  for (const { socket } of peers.splice(0)) socket.destroy();
  for (const socket of sockets.splice(0)) socket.close();
  await rtsp.engine.close();
});

async function openPort(): Promise<Socket> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

async function connectPeer(): Promise<RtspPeer> {
  const peer = await RtspPeer.connect(rtsp.port);
  peers.push(peer);
  return peer;
}

async function announce(stream: string): Promise<RtspPeer> {
  const peer = await connectPeer();
  const headers = { 'Content-Type': 'application/sdp' };
  expect((await peer.request('ANNOUNCE', rtsp.url(`live/${stream}`), headers, opusDescription)).status).toBe(200);
  return peer;
}

const setUp = (peer: RtspPeer, stream: string, transport: string) =>
  peer.request('SETUP', `${rtsp.url(`live/${stream}`)}/streamid=0`, { Transport: transport });
const bytesOf = (name: string) => rtsp.engine.streams().find(({ stream }) => stream === name)?.receivedBytes ?? 0;

it('the first publisher keeps a pair of client ports; others must use other ports', async () => {
  const port = await openPort();
  const transport = `RTP/AVP;unicast;client_port=${port.address().port}-${port.address().port + 1};mode=record`;
  const first = await announce('first');
  const second = await announce('second');
  expect((await setUp(first, 'first', transport)).status).toBe(200);
  const refused = await setUp(second, 'second', transport);
  expect([refused.status, refused.body]).toEqual([461, expect.stringContaining('are in use')]);
  expect((await setUp(second, 'second', 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record')).status).toBe(200);
  for (const [peer, stream] of [[first, 'first'] as const, [second, 'second'] as const]) {
    expect((await peer.request('RECORD', rtsp.url(`live/${stream}`))).status).toBe(200);
  }
  for (let number = 0; number < 20; number++) port.send(opusPacket(number), rtsp.udpPort, '127.0.0.1');
  await until(() => bytesOf('first') > 0);
  expect(bytesOf('second')).toBe(0);
});

it('ports are free again after the session, and one session may set up a track again', async () => {
  const port = await openPort();
  const transport = `RTP/AVP;unicast;client_port=${port.address().port}-${port.address().port + 1};mode=record`;
  const first = await announce('first');
  expect((await setUp(first, 'first', transport)).status).toBe(200);
  expect((await setUp(first, 'first', transport)).status).toBe(200);
  expect((await first.request('TEARDOWN', rtsp.url('live/first'))).status).toBe(200);
  await first.closed;
  const second = await announce('second');
  expect((await setUp(second, 'second', transport)).status).toBe(200);
});

it('media is sent only to the address of the request', async () => {
  const publisher = await announce('s');
  await setUp(publisher, 's', 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record');
  await publisher.request('RECORD', rtsp.url());
  for (let number = 0; number < 60; number++) publisher.socket.write(interleaved(0, opusPacket(number)));
  await until(() => bytesOf('s') > 0);
  const viewer = await connectPeer();
  const otherDestination = 'RTP/AVP;unicast;destination=192.0.2.7;client_port=5000-5001';
  const url = `${rtsp.url()}/trackID=1`;
  const refused = await viewer.request('SETUP', url, { Transport: otherDestination });
  expect([refused.status, refused.body]).toEqual([461, expect.stringContaining('omit the parameter destination')]);
  const both = await viewer.request('SETUP', url, { Transport: `${otherDestination},RTP/AVP/TCP;interleaved=0-1` });
  expect([both.status, both.headers.get('transport')]).toEqual([200, expect.stringContaining('RTP/AVP/TCP')]);
});
