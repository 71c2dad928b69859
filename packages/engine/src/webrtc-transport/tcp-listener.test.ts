import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { StreamFrameReader, writeStreamFrame } from '@srs-stack/media/protocols/rtp/stream-frames.ts';
import { writeBindingRequest } from '@srs-stack/media/protocols/stun/binding-messages.ts';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { recordingLog } from '../testing/recorders.ts';
import { SharedTurns } from '../util/shared-turns.ts';
import { TcpListener } from './tcp-listener.ts';
import { TcpPeer } from './tcp-peer.ts';

const check = writeBindingRequest({
  transactionId: Buffer.alloc(12, 1),
  ...{ username: 'server:peer', password: 'p'.repeat(22), priority: 1, useCandidate: true, controlling: 7n },
});
const media = (number: number, bytes = 1_000) => Buffer.alloc(bytes, 0x80 + (number % 32));

interface Arrived {
  readonly datagram: Buffer;
  readonly from: RemoteInfo;
}

let port: UdpSocket;
let arrived: Arrived[];
let listener: TcpListener;
let tcpPort: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  arrived = [];
  port = createSocket('udp4');
  port.on('message', (datagram, from) => void arrived.push({ datagram, from }));
  await new Promise<void>((resolve) => port.bind(0, '127.0.0.1', resolve));
  listener = new TcpListener({ host: '127.0.0.1', port: port.address().port }, recordingLog());
  tcpPort = await listener.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  listener.close();
  port.close();
});

async function openPeer(at = tcpPort) {
  const socket = connect(at, '127.0.0.1');
  sockets.push(socket);
  const received: Buffer[] = [];
  const reader = new StreamFrameReader({
    maxDatagramBytes: 1_500,
    onDatagram: (datagram) => void received.push(datagram),
  });
  socket.on('data', (bytes) => reader.read(bytes));
  socket.on('error', () => undefined);
  let isClosed = false;
  socket.on('close', () => {
    isClosed = true;
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    socket,
    received,
    isClosed: () => isClosed,
    say: (datagram: Buffer) => socket.write(writeStreamFrame(datagram)),
  };
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { interval: 5 });
const reply = ({ from }: Arrived, datagram: Buffer) => port.send(datagram, from.port, from.address);

it('data of a peer reaches the port from a separate socket, and replies to that socket reach the peer', async () => {
  const [one, other] = [await openPeer(), await openPeer()];
  one.say(check);
  await until(() => arrived.length === 1);
  other.say(check);
  await until(() => arrived.length === 2);
  expect(arrived.map(({ datagram }) => datagram)).toEqual([check, check]);
  expect(arrived[0]!.from.port).not.toBe(arrived[1]!.from.port);
  const senders = arrived.map(({ from }) => listener.senderOf({ ip: from.address, port: from.port }));
  expect(senders).toEqual([one, other].map(({ socket }) => ({ ip: '127.0.0.1', port: socket.localPort })));
  expect(listener.senderOf({ ip: '192.0.2.1', port: arrived[0]!.from.port })).toBeUndefined();
  reply(arrived[0]!, media(1));
  reply(arrived[1]!, media(2));
  await until(() => one.received.length + other.received.length === 2);
  expect([one.received, other.received]).toEqual([[media(1)], [media(2)]]);
  for (let number = 0; number < 20; number++) one.say(media(number));
  await until(() => arrived.length === 22);
  expect(arrived.slice(2).map(({ datagram }) => datagram)).toEqual(
    Array.from({ length: 20 }, (_, number) => media(number)),
  );
});

it('data after the first check, before the socket to the port exists, is forwarded after it', async () => {
  const peer = await openPeer();
  peer.socket.write(Buffer.concat([check, media(1), media(2)].map(writeStreamFrame)));
  await until(() => arrived.length === 3);
  expect(arrived.map(({ datagram }) => datagram)).toEqual([check, media(1), media(2)]);
});

it.each([
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['media before a check', writeStreamFrame(media(1))],
  ['a frame longer than any datagram', Buffer.concat([writeStreamFrame(check), Buffer.from([0xff, 0xff])])],
])('%s ends the connection', async (_what, bytes) => {
  const peer = await openPeer();
  peer.socket.write(bytes);
  await until(peer.isClosed);
  expect(listener.peerCount).toBe(0);
});

it('a peer that floods before a session responds is disconnected, and little of it reaches the port', async () => {
  const peer = await openPeer();
  const flood = Array.from({ length: 1_000 }, () => writeStreamFrame(check));
  peer.socket.write(Buffer.concat(flood));
  await until(peer.isClosed);
  const other = await openPeer();
  other.say(media(1).fill(check, 0, check.length));
  await until(() => arrived.some(({ datagram }) => datagram.length === 1_000));
  expect(arrived.length).toBeLessThanOrEqual(64 + 1);
});

it('a peer that disconnects closes its socket, and one whose port is closed is disconnected', async () => {
  const [one, other] = [await openPeer(), await openPeer()];
  for (const { say } of [one, other]) say(check);
  await until(() => arrived.length === 2);
  one.socket.end();
  await until(() => listener.peerCount === 1);
  listener.close();
  await until(other.isClosed);
  expect(listener.peerCount).toBe(0);
});

it('connections without a session are replaced, the oldest of an address first, and those with one stay', async () => {
  const known = await openPeer();
  known.say(check);
  await until(() => arrived.length === 1);
  reply(arrived[0]!, media(1));
  await until(() => known.received.length === 1);
  const others: Awaited<ReturnType<typeof openPeer>>[] = [];
  for (let opened = 0; opened < 65; opened++) others.push(await openPeer());
  await until(() => others[0]!.isClosed());
  await until(() => listener.peerCount === 65);
  expect(others.slice(1).some(({ isClosed }) => isClosed())).toBe(false);
  expect(known.isClosed()).toBe(false);
});

it('a peer that does not read gets at most a bounded queue', async () => {
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    new TcpPeer(socket, { host: '127.0.0.1', port: port.address().port }, new SharedTurns(), {
      onOpen: () => {},
      onResponse: () => {},
      onEnd: () => {},
    });
    accepted.resolve(socket);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer = await openPeer((server.address() as AddressInfo).port);
  const waiting = await accepted.promise;
  peer.say(check);
  await until(() => arrived.length === 1);
  peer.socket.pause();
  const sendSome = (): void => {
    for (let number = 0; number < 50; number++) reply(arrived[0]!, media(number, 1_400));
  };
  // Sends until data waits in this process. The kernel first buffers some megabytes.
  await until(() => {
    sendSome();
    return waiting.writableLength > 256 * 1024;
  });
  for (let round = 0; round < 20; round++) {
    sendSome();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(waiting.writableLength).toBeLessThan(258 * 1024);
  peer.socket.resume();
  await until(() => waiting.writableLength === 0);
  peer.say(media(3));
  await until(() => arrived.length === 2);
});

const emptyFrames = (count: number) => Buffer.alloc(2 * count);

it('empty frames count against the limit of a peer without a session', async () => {
  const [few, many] = [await openPeer(), await openPeer()];
  few.socket.write(emptyFrames(10));
  few.say(check);
  await until(() => arrived.length === 1);
  many.socket.write(emptyFrames(65));
  await until(() => many.isClosed());
  expect(few.isClosed()).toBe(false);
});

it('empty frames keep a peer with a session connected, unless they are a flood', async () => {
  const peer = await openPeer();
  peer.say(check);
  await until(() => arrived.length === 1);
  reply(arrived[0]!, check);
  await until(() => peer.received.length === 1);
  for (let count = 1; count <= 3; count++) {
    peer.socket.write(emptyFrames(60));
    peer.say(media(count));
    await until(() => arrived.length === 1 + count);
  }
  peer.socket.write(emptyFrames(65));
  await until(() => peer.isClosed());
});
