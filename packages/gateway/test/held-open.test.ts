// Clients hold requests and responses open. Calls of other clients still get immediate responses.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileHandoverHeader, maxJsonBodyBytes, writeFileHandover } from '@srs-stack/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bodyMemory, callLane } from '../src/front/limits/front-limits.ts';
import { setFront, startBackend } from './backend.ts';
import { answerWhole, bodyText } from './fake-platform.ts';
import { type Fixture, type FixtureOptions, startFixture } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';

/** Number of held requests, more than the connections to the control plane. */
const held = 350;
/** Number of clients that each fill kernel buffers of some megabytes. More than the places for calls. */
const heldUnread = callLane.most + 12;

/** Opens connections that send the text and then neither send nor read. */
async function holdOpen({ http }: Pick<Fixture, 'http'>, text: string, length = held): Promise<Socket[]> {
  const sockets = Array.from({ length }, () => {
    const socket = connect(http, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    socket.write(text);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** Checks that calls get responses. A call that waits for a held request would hang. */
async function expectCallsAnswered({ http }: Pick<Fixture, 'http'>, headers: Record<string, string> = {}) {
  for (const path of ['/terraform/v1/mgmt/status', '/terraform/v1/mgmt/login']) {
    const call = ask({ port: http, path, method: 'POST', headers, body: '{"password":"x"}' });
    expect((await call).body, path).toBe('{"code":0}');
  }
}

async function startReading(options?: FixtureOptions): Promise<Fixture> {
  const fixture = await startFixture(options);
  fixture.platform.answer = answerWhole;
  return fixture;
}

const post = (path: string, headers: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n${body}`;

test.each([
  ['announced', post('/terraform/v1/mgmt/login', 'Content-Length: 100000', '{')],
  ['chunked', post('/terraform/v1/mgmt/login', 'Transfer-Encoding: chunked', '1\r\n{\r\n')],
  ['uploaded', post('/terraform/v1/ffmpeg/vlive/upload/a.mp4', 'Content-Length: 100000', 'x')],
])('slow bodies, %s, do not block calls to the control plane and get 408', async (_kind, text) => {
  const fixture = await startReading({ deadlines: { bodyMs: 700, uploadStallMs: 700 } });
  const slow = await holdOpen(fixture, text);
  await expectCallsAnswered(fixture);
  const responses = await Promise.all(
    slow.map(async (socket) => {
      socket.resume();
      return (await bodyText(socket)).slice(9, 12);
    }),
  );
  // 503: uploads above the concurrency limit.
  expect(responses).toContain('408');
  expect(responses.filter((status) => status !== '408' && status !== '503')).toEqual([]);
});

test('unread downloads of a recording do not block calls', async () => {
  const fixture = await startFixture();
  const size = 8 * 1024 * 1024;
  const path = 'record/a/index.mp4';
  await mkdir(join(fixture.env.dataDir, 'record/a'), { recursive: true });
  await writeFile(join(fixture.env.dataDir, path), Buffer.alloc(size));
  const all = Buffer.alloc(size);
  fixture.platform.answer = (incoming, response) => {
    if (!incoming.url?.includes('index.mp4')) return response.end('{"code":0}');
    if (!incoming.headers['x-gateway-sends-files']) return response.end(all);
    return response.setHeader(fileHandoverHeader, writeFileHandover({ path, start: 0, end: size })).end();
  };
  await holdOpen(fixture, 'GET /terraform/v1/hooks/record/hls/a/index.mp4 HTTP/1.1\r\nHost: h\r\n\r\n', heldUnread);
  await expectCallsAnswered(fixture);
});

test('unread long responses do not block calls', async () => {
  const fixture = await startFixture();
  const all = Buffer.alloc(8 * 1024 * 1024);
  fixture.platform.answer = (incoming, response) => response.end(incoming.url?.includes('list') ? all : '{"code":0}');
  await holdOpen(fixture, 'GET /terraform/v1/list HTTP/1.1\r\nHost: h\r\n\r\n', heldUnread);
  await expectCallsAnswered(fixture);
});

test('event streams do not block calls', async () => {
  const fixture = await startFixture();
  fixture.platform.answer = (incoming, response) => {
    if (!incoming.url?.includes('events')) return response.end('{"code":0}');
    return response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': here\n\n');
  };
  await holdOpen(fixture, 'GET /terraform/v1/mgmt/monitor/events HTTP/1.1\r\nHost: h\r\n\r\n');
  await expectCallsAnswered(fixture);
});

const [crowd, other] = ['198.51.100.1', '198.51.100.2'];
const behindProxy = { TRUST_PROXY: '127.0.0.1' };

test('long calls of one address leave places for another', async () => {
  const fixture = await startFixture({ variables: behindProxy });
  fixture.platform.answer = (incoming, response) => {
    if (!incoming.url?.includes('long')) response.end('{"code":0}');
  };
  await holdOpen(fixture, `GET /terraform/v1/long HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${crowd}\r\n\r\n`);
  await expectCallsAnswered(fixture, { 'x-forwarded-for': other });
});

test('requests of one address to a backend leave places for another', async () => {
  const backend = await startBackend((incoming, response) => {
    if (!incoming.url?.includes('long')) response.end('shop');
  });
  const fixture = await startFixture({
    variables: behindProxy,
    prepare: async (dataDir) => {
      await setFront(dataDir, { locations: [{ location: '/shop', backend: backend.url }] });
    },
  });
  await holdOpen(fixture, `GET /shop/long HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${crowd}\r\n\r\n`);
  const answer = ask({ port: fixture.http, path: '/shop/x', headers: { 'x-forwarded-for': other } });
  expect((await answer).body).toBe('shop');
});

test('large unfinished bodies use a share of the memory: the oldest gets 408, another address is served', async () => {
  const fixture = await startReading({ variables: behindProxy });
  const bytes = 900_000;
  const count = Math.ceil(bodyMemory.mostPerAddress / bytes) + 10;
  const head = `X-Forwarded-For: ${crowd}\r\nContent-Length: ${maxJsonBodyBytes}`;
  const sockets = await holdOpen(fixture, post('/terraform/v1/x', head, ' '.repeat(bytes)), count);
  const [status] = await Promise.race(sockets.map((socket) => once(socket.resume(), 'data')));
  expect(String(status)).toMatch(/^HTTP\/1\.1 408 /);
  await expectCallsAnswered(fixture, { 'x-forwarded-for': other });
  expect(fixture.gateway.load().bodyBytes).toBeLessThanOrEqual(bodyMemory.mostPerAddress);
});

test('a body in chunks of 64 bytes uses no more memory than its length', async () => {
  const fixture = await startReading();
  const size = 200_000;
  const body = `40\r\n${'x'.repeat(64)}\r\n`.repeat(size / 64);
  const [socket] = await holdOpen(fixture, post('/terraform/v1/x', 'Transfer-Encoding: chunked', body), 1);
  await vi.waitFor(() => expect(fixture.gateway.load().bodyBytes).toBeGreaterThanOrEqual(size), 10_000);
  expect(fixture.gateway.load().bodyBytes).toBeLessThan(3 * size);
  socket?.write('0\r\n\r\n');
  const [answer] = await once(socket?.resume() as Socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
});
