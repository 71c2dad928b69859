// A client that disconnects after any byte of a request, on every kind of path, leaves no resources in use.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileHandoverHeader, writeFileHandover } from '@srs-stack/contract';
import { expect, test, vi } from 'vitest';
import { setFront, startBackend } from './backend.ts';
import { answerWhole, bodyText } from './fake-platform.ts';
import { type Fixture, startFixture } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';

/** Number of concurrent connections. Below the queue limit per address, so that no request is refused. */
const parallel = 50;

const recording = '/terraform/v1/hooks/record/hls/u/index.mp4';
const requests: Record<string, string> = {
  call: 'POST /terraform/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\n\r\n{"a":"bcdef"}',
  'chunked call': 'POST /terraform/v1/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  upload:
    'POST /terraform/v1/ffmpeg/vlive/upload/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  recording: `GET ${recording} HTTP/1.1\r\nHost: h\r\nRange: bytes=0-\r\n\r\n`,
  page: 'GET /mgmt/index.html HTTP/1.1\r\nHost: h\r\nAccept-Encoding: br\r\n\r\n',
  media: 'GET /live/known.flv HTTP/1.1\r\nHost: h\r\n\r\n',
  proxied: 'POST /shop/x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde',
  websocket: 'GET /shop/ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nabc',
  'no upgrade': 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  pipelined: 'GET /terraform/v1/x HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(3),
};

async function startEverything(): Promise<Fixture> {
  const backend = await startBackend(async (incoming, response) => {
    await bodyText(incoming).catch(() => undefined);
    response.end('shop');
  });
  const fixture = await startFixture({
    prepare: async (dataDir) => {
      for (const folder of ['record/u', 'no-console']) await mkdir(join(dataDir, folder), { recursive: true });
      await writeFile(join(dataDir, 'record/u/index.mp4'), Buffer.alloc(200_000));
      await writeFile(join(dataDir, 'no-console/index.html'), 'x'.repeat(200_000));
      await setFront(dataDir, { home: '/known', locations: [{ location: '/shop', backend: backend.url }] });
    },
  });
  fixture.platform.answer = async (incoming, response) => {
    if (incoming.url !== recording) return answerWhole(incoming, response);
    await bodyText(incoming);
    const file = { path: 'record/u/index.mp4', start: 0, end: 200_000 };
    return response.setHeader(fileHandoverHeader, writeFileHandover(file)).end();
  };
  return fixture;
}

/** Sends the first bytes, then disconnects: half-close, close, or reset. */
async function leaveAfter(port: number, bytes: string, how: number): Promise<void> {
  const socket: Socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  if (bytes !== '') await new Promise((resolve) => socket.write(bytes, 'latin1', resolve));
  if (how === 0) socket.end().resume();
  else if (how === 1) socket.destroy();
  else socket.resetAndDestroy();
  if (how === 0) setTimeout(() => socket.destroy(), 50);
  await closed;
}

test.each(Object.entries(requests))('a %s that breaks off at any byte leaves nothing open', async (_what, text) => {
  const fixture = await startEverything();
  const rounds = Array.from({ length: text.length + 1 }, (_, length) =>
    [0, 1, 2].map((how) => ({ length, how })),
  ).flat();
  for (let at = 0; at < rounds.length; at += parallel) {
    const batch = rounds.slice(at, at + parallel);
    await Promise.all(batch.map(({ length, how }) => leaveAfter(fixture.http, text.slice(0, length), how)));
  }
  expect((await ask({ port: fixture.http, path: '/terraform/v1/x', method: 'POST', body: '{}' })).body).toBe(
    '{"code":0}',
  );
  expect((await ask({ port: fixture.http, path: '/shop/x' })).body).toBe('shop');
  expect((await ask({ port: fixture.http, path: recording })).body).toHaveLength(200_000);
  await vi.waitFor(() => {
    expect(fixture.gateway.load()).toEqual({ running: 0, waiting: 0, slow: 0, bodyBytes: 0, files: 0 });
  });
});
