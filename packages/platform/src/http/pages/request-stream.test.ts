import { once } from 'node:events';
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { requestStream } from './request-stream.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function openRequest() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = sendRequest({ port, host: '127.0.0.1', method: 'PATCH' });
  client.on('error', () => undefined);
  cleanUps.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.flushHeaders();
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  return { client, request };
}

const bytes = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7 + (index >> 11)) % 251));

test('every byte arrives in order, at any pace of the reader', async () => {
  const { client, request } = await openRequest();
  client.end(bytes);
  const pieces: Uint8Array[] = [];
  for await (const piece of requestStream(request)) {
    pieces.push(piece);
    if (pieces.length % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
});

test('an empty body ends', async () => {
  const { client, request } = await openRequest();
  client.end();
  expect(await requestStream(request).getReader().read()).toEqual({ done: true, value: undefined });
});

test('a reader that pauses applies backpressure to the client', async () => {
  const { client, request } = await openRequest();
  let taken = 0;
  request.on('data', (piece: Buffer) => {
    taken += piece.length;
  });
  const stream = requestStream(request);
  client.write(Buffer.alloc(50_000_000));
  await expect.poll(() => taken).toBeGreaterThan(0);
  await expect.poll(() => request.isPaused()).toBe(true);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toBeLessThan(1_000_000);
  await stream.cancel();
});

test('a client that disconnects fails the body; bytes received before can be read', async () => {
  const { client, request } = await openRequest();
  const reader = requestStream(request).getReader();
  client.write('four');
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('four');
  client.destroy();
  await expect(reader.read()).rejects.toThrow('aborted');
});

test('cancelling closes the connection', async () => {
  const { client, request } = await openRequest();
  client.write('four');
  const closed = new Promise((resolve) => client.once('close', resolve));
  await requestStream(request).cancel(new Error('enough'));
  expect(request.destroyed).toBe(true);
  await closed;
});
