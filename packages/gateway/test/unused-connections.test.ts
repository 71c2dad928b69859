// A new connection replaces the oldest connection without an open request. Connections with a response in progress stay.
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { boundUnusedConnections } from '../src/front/server/unused-connections.ts';

let server: Server;
let port: number;
let sockets: Socket[];
let responses: ServerResponse[];
let connected: number;

beforeEach(async () => {
  sockets = [];
  responses = [];
  connected = 0;
  server = createServer();
  boundUnusedConnections(server, { maxEntries: 100, maxPerAddress: 3 });
  server.on('connection', () => {
    connected += 1;
  });
  server.on('request', (incoming, response) => {
    if (incoming.url === '/hold') responses.push(response);
    else response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function open(bytes = ''): Promise<Socket> {
  const before = connected;
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.resume();
  if (bytes !== '') socket.write(bytes);
  await vi.waitFor(() => expect(connected).toBe(before + 1), { interval: 1 });
  return socket;
}

function ask(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

const hold = 'GET /hold HTTP/1.1\r\nHost: h\r\n\r\n';
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

it('an incomplete head is closed for the newest connection, a response in progress is not', async () => {
  const held = await open(hold);
  await vi.waitFor(() => expect(responses).toHaveLength(1), { interval: 1 });
  const first = await open('GET / HTTP/1.1\r\nHo');
  const firstClosed = closed(first);
  for (let count = 0; count < 2; count++) await open('GET /');
  expect(await ask()).toBe(200);
  await firstClosed;
  for (let count = 0; count < 5; count++) expect(await ask()).toBe(200);
  expect(held.destroyed).toBe(false);
  const text = new Promise((resolve) => held.once('data', (data) => resolve(String(data))));
  responses[0]!.end('at last');
  expect(await text).toContain('at last');
});

it('a connection whose response is complete may be closed for others, the longest idle first', async () => {
  const kept = await open();
  const answered = new Promise((resolve) => kept.once('data', resolve));
  kept.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  await answered;
  const keptClosed = closed(kept);
  const others = [await open(), await open(), await open()];
  await keptClosed;
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
});

it('a response in progress does not count as idle when an earlier one has completed', async () => {
  const held = await open(`GET / HTTP/1.1\r\nHost: h\r\n\r\n${hold}`);
  await vi.waitFor(() => expect(responses).toHaveLength(1), { interval: 1 });
  for (let count = 0; count < 5; count++) await open();
  expect(await ask()).toBe(200);
  expect(held.destroyed).toBe(false);
});
