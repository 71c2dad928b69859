import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { DatagramSocket } from '../src/datagram-socket.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function openSender(host?: string): Promise<DatagramSocket> {
  const sender = await DatagramSocket.open({ ...(host && { host }), port: 0 });
  open.push(sender);
  return sender;
}

async function openReceiver(type: 'udp4' | 'udp6', host: string) {
  const socket = createSocket({ type, recvBufferSize: 1024 * 1024 });
  open.push({ close: () => socket.close() });
  socket.bind(0, host);
  await once(socket, 'listening');
  return socket;
}

const filled = (length: number, value: number) => Buffer.alloc(length, value);

it.each([
  ['127.0.0.1', 'udp4', '127.0.0.1'],
  [undefined, 'udp4', '127.0.0.1'],
  ['::1', 'udp6', '::1'],
] as const)('sends datagrams of all lengths in order from %s', async (host, type, to) => {
  const [sender, receiver] = [await openSender(host), await openReceiver(type, to)];
  const lengths = [1200, 1200, 1200, 700, 900, 900, 1, 1, 1472, 0, 5, 5, ...Array<number>(40).fill(1316)];
  const datagrams = lengths.map(filled);
  const received: { datagram: Buffer; port: number }[] = [];
  const all = new Promise<void>((resolve) => {
    receiver.on('message', (datagram, { port }) => {
      if (received.push({ datagram, port }) === datagrams.length) resolve();
    });
  });
  const send = sender.sendTo(to, receiver.address().port);
  expect(send(datagrams)).toBe(datagrams.length);
  await all;
  expect(received.map(({ datagram }) => datagram.toString('hex'))).toEqual(
    datagrams.map((each) => each.toString('hex')),
  );
  expect(new Set(received.map(({ port }) => port))).toEqual(new Set([sender.socket.address().port]));
});

it('receives datagrams, and counts those sent after its close as lost', async () => {
  const [sender, peer] = [await openSender('127.0.0.1'), await openReceiver('udp4', '127.0.0.1')];
  const message = once(sender.socket, 'message');
  peer.send('hello', sender.socket.address().port, '127.0.0.1');
  expect(String((await message)[0])).toBe('hello');
  const send = sender.sendTo('127.0.0.1', peer.address().port);
  sender.close();
  sender.close();
  expect(send([filled(3, 1), filled(3, 2)])).toBe(2);
});

it('counts a datagram that is too long as lost, and sends the others', async () => {
  const [sender, receiver] = [await openSender('127.0.0.1'), await openReceiver('udp4', '127.0.0.1')];
  const message = once(receiver, 'message');
  expect(sender.sendTo('127.0.0.1', receiver.address().port)([filled(66_000, 1), filled(9, 2)])).toBe(2);
  expect((await message)[0]).toEqual(filled(9, 2));
});

it('takes at most 64 at once', async () => {
  const [sender, receiver] = [await openSender('127.0.0.1'), await openReceiver('udp4', '127.0.0.1')];
  expect(sender.sendTo('127.0.0.1', receiver.address().port)(Array<Buffer>(65).fill(filled(9, 2)))).toBe(64);
});

it('refuses a port in use and addresses that it cannot reach', async () => {
  const sender = await openSender('127.0.0.1');
  const { port } = sender.socket.address();
  await expect(DatagramSocket.open({ host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'bind',
    port,
  });
  expect(() => sender.sendTo('::1', 9)).toThrow(TypeError);
  expect(() => sender.sendTo('localhost', 9)).toThrow(TypeError);
});
