// Pipelined requests are handled in order, one at a time. Requests above the limit are not read.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { maxRequestsOfConnection, requestTurns, unsentResponses } from '../src/front/limits/front-limits.ts';
import { createHttpServer, listen, stopServer } from '../src/front/server/public-server.ts';
import { RequestTurns, stoppableParser } from '../src/front/server/request-turns.ts';

/** Maximum size of one read of a socket in Node. */
const readBytes = 64 * 1024;

async function serve(answer: RequestListener): Promise<{ port: number; started: string[]; stop: () => Promise<void> }> {
  const started: string[] = [];
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    started.push(request.url ?? '');
    answer(request, response as ServerResponse & { req: IncomingMessage });
  };
  const server = createHttpServer({ onRequest, onUpgrade: (_request, socket) => socket.destroy() }, () => false);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const options = { variable: 'X', address: { host: '127.0.0.1', port: 0 }, onError: () => undefined };
  return { port: await listen(server, options), started, stop: () => stopServer(server, 1) };
}

const echo: RequestListener = (request, response) => response.end(`[${request.url}]`);
const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);

function open(port: number): { socket: Socket; bodies: () => string[]; text: () => string } {
  let text = '';
  const socket = connect(port, '127.0.0.1').on('data', (data) => {
    text += String(data);
  });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return { socket, text: () => text, bodies: () => [...text.matchAll(/\[(.*?)\]/g)].map(([, body]) => body!) };
}

test('the allowed number gets responses in order, and the connection is kept', async () => {
  const { port } = await serve(echo);
  const { socket, bodies } = open(port);
  const all = paths(maxRequestsOfConnection);
  for (let round = 1; round <= 3; round++) {
    socket.write(all.map(head).join(''));
    await vi.waitFor(() => expect(bodies()).toHaveLength(round * all.length), { interval: 1 });
  }
  expect(bodies()).toEqual([...all, ...all, ...all]);
});

test('of a full buffer the allowed number gets responses, the rest is not parsed, and the connection ends', async () => {
  const { port, started } = await serve(echo);
  const { socket, bodies } = open(port);
  const count = Math.floor(readBytes / head('/0000').length);
  socket.write(paths(count).map(head).join(''));
  await once(socket, 'close');
  expect(bodies()).toEqual(paths(maxRequestsOfConnection));
  expect(started).toHaveLength(maxRequestsOfConnection);
});

test('requests for unknown paths count too', async () => {
  const { port, started } = await serve(echo);
  for (const bad of ['GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nExpect: much\r\n\r\n']) {
    const { socket, text } = open(port);
    socket.write(bad.repeat(200));
    await once(socket, 'close');
    expect(text().match(/HTTP\/1\.1 \d+/g)).toHaveLength(maxRequestsOfConnection);
  }
  expect(started).toHaveLength(maxRequestsOfConnection);
});

test('a request starts after the earlier responses are sent, and never when the client has disconnected', async () => {
  const held: ServerResponse[] = [];
  const { port, started } = await serve((request, response) => {
    if (request.url === '/held') held.push(response);
    else echo(request, response);
  });
  const first = open(port);
  first.socket.write(['/held', '/next', '/held', '/never'].map(head).join(''));
  await vi.waitFor(() => expect(held).toHaveLength(1), { interval: 1 });
  expect(started).toEqual(['/held']);
  held[0]!.end('[/held]');
  await vi.waitFor(() => expect(held).toHaveLength(2), { interval: 1 });
  expect(started).toEqual(['/held', '/next', '/held']);
  const left = once(held[1]!, 'close');
  first.socket.destroy();
  await left;
  const second = open(port);
  second.socket.write(head('/last'));
  await vi.waitFor(() => expect(second.bodies()).toEqual(['/last']), { interval: 1 });
  expect(started).toEqual(['/held', '/next', '/held', '/last']);
});

test('a response in pieces continues when its connection is no longer tracked', async () => {
  const piece = Buffer.alloc(256 * 1024, 'x');
  const { port } = await serve((request, response) => {
    let left = 6;
    const send = (): void => {
      while (left-- > 0) if (!response.write(piece)) return void response.once('drain', send);
      response.end(`[${request.url}]`);
    };
    send();
  });
  const { socket, bodies } = open(port);
  socket.pause();
  socket.write(paths(100).map(head).join(''));
  await new Promise((resolve) => setImmediate(resolve));
  socket.resume();
  await once(socket, 'close');
  expect(bodies()).toEqual(paths(maxRequestsOfConnection));
});

test('a client that closes its side gets its pipelined responses, one with a single request counts as disconnected', async () => {
  const held: ServerResponse[] = [];
  const { port } = await serve((request, response) => {
    if (request.url === '/held') held.push(response);
    else setImmediate(() => echo(request, response));
  });
  for (const count of [3, 100]) {
    const { socket, bodies } = open(port);
    socket.end(paths(count).map(head).join(''));
    await once(socket, 'close');
    expect(bodies()).toEqual(paths(Math.min(count, maxRequestsOfConnection)));
  }
  const { socket, text } = open(port);
  socket.end(head('/held'));
  await once(socket, 'close');
  expect([held.length, text()]).toEqual([1, '']);
});

test('an unparsable request is refused after the earlier responses', async () => {
  const { port } = await serve(echo);
  const { socket, text } = open(port);
  socket.write(`${['/0', '/1', '/2'].map(head).join('')}\0nonsense\r\n\r\n`);
  await once(socket, 'close');
  expect(text().match(/\[.*?\]|HTTP\/1\.1 400/g)).toEqual(['[/0]', '[/1]', '[/2]', 'HTTP/1.1 400']);
});

test('a stop cuts a connection that sent too much and waits for a response', async () => {
  const { port, started, stop } = await serve(() => undefined);
  const { socket } = open(port);
  socket.write(paths(100).map(head).join(''));
  await vi.waitFor(() => expect(started).toHaveLength(1), { interval: 1 });
  await stop();
  if (!socket.destroyed) await once(socket, 'close');
});

test('unread responses are bounded in memory, except shared bytes', async () => {
  // All responses send this buffer, but each response counts with its full size.
  const body = Buffer.alloc(48 * 1024 * 1024);
  const { port, started } = await serve((request, response) => {
    if (request.url === '/shared') Object.assign(response, { sharedBytes: body.length });
    response.end(body);
  });
  const ask = async (path: string): Promise<Socket> => {
    const before = started.length;
    const { socket } = open(port);
    socket.pause();
    socket.write(head(path));
    await vi.waitFor(() => expect(started).toHaveLength(before + 1), { interval: 1 });
    return socket;
  };
  const most = Math.floor(unsentResponses.mostBytes / body.length);
  for (let count = 0; count <= most; count++) await ask('/shared');
  for (let count = 0; count < most; count++) await ask('/own');
  const last = (await ask('/own')).resume();
  await once(last, 'close');
  expect(last.bytesRead).toBeLessThan(body.length);
});

test('clients of a trusted proxy count by their own addresses', async () => {
  const limits = { ...requestTurns, mostPerSecondOfAddress: 1 };
  const begun: string[] = [];
  const turns = new RequestTurns(
    {
      keyOfPeer: () => undefined,
      keyOfClient: ({ headers }) => String(headers['x-forwarded-for']),
      answer: (request, response) => {
        begun.push(request.url ?? '');
        response.end();
      },
    },
    limits,
  );
  const server = createServer(stoppableParser(turns)).on('request', (request, response) =>
    turns.take(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { socket } = open((server.address() as AddressInfo).port);
  const from = (address: string, path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${address}\r\n\r\n`;
  socket.write(from('192.0.2.1', '/a') + from('192.0.2.2', '/b'));
  await vi.waitFor(() => expect(begun).toEqual(['/a', '/b']), { interval: 1 });
});
