import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RestingReads, restingHighWaterMark } from './resting-reads.ts';

let server: Server;
let reads: RestingReads;
let publisher: Connection;
/** A second connection. A response on this connection shows that the server had time to read the data of `publisher`. */
let witness: Connection;

interface Connection {
  readonly peer: Socket;
  readonly accepted: Socket;
}

beforeEach(async () => {
  reads = new RestingReads(() => performance.now());
  server = createServer({ noDelay: true, highWaterMark: restingHighWaterMark });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  publisher = await open();
  witness = await open();
  witness.accepted.on('data', (data) => witness.accepted.write(data));
});

afterEach(async () => {
  reads.close();
  for (const { peer, accepted } of [publisher, witness]) {
    peer.destroy();
    accepted.destroy();
  }
  server.close();
  await once(server, 'close');
});

async function open(): Promise<Connection> {
  const peer = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  return { peer, accepted };
}

async function send(text: string): Promise<void> {
  await new Promise<void>((resolve) => publisher.peer.write(text, () => resolve()));
  for (let round = 0; round < 3; round++) {
    witness.peer.write('?');
    await once(witness.peer, 'data');
  }
}

test('a paused connection is read once, whatever else is sent, and completely once it is resumed', async () => {
  const { accepted } = publisher;
  const received: string[] = [];
  let wake: () => void = () => undefined;
  accepted.on('data', (data) => {
    received.push(String(data));
    wake = reads.rest(accepted, 100);
  });
  await send('a');
  for (const text of ['b', 'c', 'd', 'e']) await send(text);
  expect([received, accepted.bytesRead]).toEqual([['a'], 2]);
  wake();
  await until(() => received.join('') === 'ab');
  wake();
  await until(() => received.join('') === 'abcde');
  expect(received).toEqual(['a', 'b', 'cde']);
});

test('a pause ends after its time, and so do later pauses of the same connection', async () => {
  const { accepted } = publisher;
  let received = '';
  accepted.on('data', (data) => {
    received += String(data);
    reads.rest(accepted, 100);
  });
  for (const text of ['a', 'b', 'c']) {
    await send(text);
    await until(() => received.endsWith(text));
  }
  expect(received).toBe('abc');
});

test('a connection resumed early is not resumed again by the end of its pause', async () => {
  const { accepted } = publisher;
  accepted.on('data', () => undefined);
  const wake = reads.rest(accepted, 100);
  wake();
  expect(accepted.isPaused()).toBe(false);
  accepted.pause(); // by another caller, for longer
  wake();
  reads.close();
  expect(accepted.isPaused()).toBe(true);
});

test('nothing is paused after close', () => {
  const { accepted } = publisher;
  reads.rest(accepted, 100);
  expect(accepted.isPaused()).toBe(true);
  reads.close();
  expect(accepted.isPaused()).toBe(false);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await once(publisher.accepted, 'data');
}
