// Proxied paths, the home page and switched-off protocols, changed at runtime through the file that the control plane writes.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { setFront, startBackend } from './backend.ts';
import { clientOf, publisherOf } from './fake-engine.ts';
import { bodyText } from './fake-platform.ts';
import { type Fixture, startFixture } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';

async function until<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    await delay(25);
  }
}

test('a new path reaches its backend without a restart, and is removed the same way', async () => {
  const fixture = await startFixture();
  const backend = await startBackend(async (request, response) => {
    response.setHeader('X-Shop', 'yes');
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.end(`${request.method} ${request.url} ${await bodyText(request)}`);
  });
  const get = (path: string, more = {}) => ask({ port: fixture.http, path, ...more });
  expect((await get('/shop/cart')).status).toBe(302);
  await setFront(fixture.env.dataDir, { locations: [{ location: '/shop', backend: `${backend.url}/app` }] });
  const first = await until(
    () => get('/shop/cart?x=1&y=/z'),
    ({ status }) => status === 200,
  );
  expect(first.body).toBe('GET /app/cart?x=1&y=/z ');
  expect(first.headers['x-shop']).toBe('yes');
  expect(first.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect(first.headers['access-control-allow-origin']).toBeUndefined();
  expect((await get('/shop')).body).toBe('GET /app ');
  expect((await get('/shop/', { method: 'POST', body: 'a'.repeat(200_000) })).body).toBe(
    `POST /app/ ${'a'.repeat(200_000)}`,
  );
  expect((await get('/shop/x', { method: 'OPTIONS' })).body).toBe('OPTIONS /app/x ');
  expect((await get('/shopping')).status).toBe(302);
  const { headers } = backend.requests.at(-1)!;
  expect(headers).toMatchObject({
    host: `127.0.0.1:${backend.port}`,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': `127.0.0.1:${fixture.http}`,
  });
  await setFront(fixture.env.dataDir, { locations: [] });
  await until(
    () => get('/shop/cart'),
    ({ status }) => status === 302,
  );
});

test('without a backend path the path is kept; the longest location wins; redirects are mapped back', async () => {
  const fixture = await startFixture({
    prepare: (dataDir) => mkdir(join(dataDir, 'config'), { recursive: true }).then(() => undefined),
  });
  const plain = await startBackend((request, response) => response.end(`plain ${request.url}`));
  const deep = await startBackend((request, response) => {
    response.writeHead(302, { Location: request.url?.includes('rel') ? '/x/rel' : `${deep.url}/x/y?z` });
    response.end();
  });
  await setFront(fixture.env.dataDir, {
    locations: [
      { location: '/a', backend: plain.url },
      { location: '/a/deep', backend: `${deep.url}/x` },
    ],
  });
  const get = (path: string) => ask({ port: fixture.http, path });
  await until(
    () => get('/a/b'),
    ({ body }) => body === 'plain /a/b',
  );
  expect((await get('/a/deep/go')).headers.location).toBe('/a/deep/y?z');
  expect((await get('/a/deep/rel')).headers.location).toBe('/a/deep/rel');
});

test('paths of the product are never proxied, even when the file lists them', async () => {
  const fixture = await startFixture();
  const backend = await startBackend((_request, response) => response.end('stolen'));
  const paths = [
    '/terraform/v1/mgmt/versions',
    '/mgmt',
    '/mgmt/en',
    '/api/v1/versions',
    '/tools/x.html',
    '/live/known.flv',
  ];
  const locations = ['/terraform', '/mgmt', '/api', '/tools', '/live', '/rtc', '/proof'];
  await setFront(fixture.env.dataDir, { locations: locations.map((location) => ({ location, backend: backend.url })) });
  const get = (path: string) => ask({ port: fixture.http, path });
  await until(
    () => get('/proof'),
    ({ body }) => body === 'stolen',
  );
  for (const path of paths) expect((await get(path)).body, path).not.toBe('stolen');
});

test('refuses paths that two servers could interpret differently', async () => {
  const fixture = await startFixture();
  const backend = await startBackend((_request, response) => response.end('reached'));
  await setFront(fixture.env.dataDir, { locations: [{ location: '/a', backend: `${backend.url}/b` }] });
  await until(
    () => ask({ port: fixture.http, path: '/a' }),
    ({ body }) => body === 'reached',
  );
  for (const path of ['/a/../x', '/a/%2e%2e/x', '/a/.%2E', '/a/b\\c', '/a/%5Cc', '/a/./x'])
    expect((await ask({ port: fixture.http, path })).status, path).toBe(400);
});

test('own listeners, link-local addresses and unavailable backends give 502', async () => {
  const fixture = await startFixture();
  const { ports } = fixture.gateway;
  await setFront(fixture.env.dataDir, {
    locations: [
      { location: '/control', backend: `http://127.0.0.1:${ports.srsApi}` },
      { location: '/named', backend: `http://localhost:${ports.srsApi}` },
      { location: '/loop', backend: `http://127.0.0.1:${ports.http}` },
      { location: '/cloud', backend: 'http://169.254.169.254' },
      { location: '/mapped', backend: 'http://[::ffff:169.254.169.254]' },
      { location: '/dead', backend: 'http://127.0.0.1:9' },
    ],
  });
  const status = async (path: string) => (await ask({ port: fixture.http, path })).status;
  await until(
    () => status('/dead'),
    (code) => code === 502,
  );
  for (const path of ['/control/api/v1/summaries', '/named/api/v1/summaries', '/loop/', '/cloud/', '/mapped/'])
    expect(await status(path), path).toBe(502);
});

/** A backend that sends `answer` whenever it receives bytes, and records these bytes. */
async function startRawBackend(answer: string): Promise<{ url: string; received: () => string }> {
  let received = '';
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      socket.write(answer, 'latin1');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => received };
}

async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(bytes, 'latin1');
  return bodyText(socket);
}

async function startWithLocation(backend: string): Promise<Fixture> {
  const fixture = await startFixture();
  const lead = (path: string) => ask({ port: fixture.http, path });
  await setFront(fixture.env.dataDir, { home: '/known', locations: [{ location: '/a', backend }] });
  await until(
    () => lead('/'),
    ({ headers }) => headers.location === '/known',
  );
  return fixture;
}

const jwt = (claims: object) =>
  ['{"alg":"HS256","typ":"JWT"}', JSON.stringify(claims), 'sig']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const ownToken = jwt({ v: '1.0', nonce: '0011', iat: 1, exp: 2, epoch: 3 });

test('a backend never gets a credential of this server, and gets its own unchanged', async () => {
  const backend = await startBackend((_request, response) => response.end('ok'));
  const fixture = await startFixture({
    variables: { SRS_PLATFORM_SECRET: 'chosen', METRICS_TOKEN: 'metrics-metrics-1' },
  });
  await setFront(fixture.env.dataDir, { locations: [{ location: '/a', backend: backend.url }] });
  const seen = async (headers: Record<string, string>) => {
    await until(
      () => ask({ port: fixture.http, path: '/a', headers }),
      ({ status }) => status === 200,
    );
    const { authorization, cookie } = backend.requests.at(-1)?.headers ?? {};
    return { authorization, cookie };
  };
  const own = ['srs-v2-0123456789abcdef', ownToken, 'chosen', 'metrics-metrics-1'];
  for (const credential of own) {
    expect(await seen({ authorization: `Bearer ${credential}` }), credential).toEqual({});
    expect(await seen({ authorization: `bEARER  ${credential}` }), credential).toEqual({});
    expect(await seen({ cookie: `a=1; any=${credential}; b=2` })).toEqual({ cookie: 'a=1; b=2' });
    expect(await seen({ cookie: `any="${credential}"` })).toEqual({});
  }
  const theirs = [
    'Basic YTpi',
    'Bearer glsa_abc',
    `Bearer ${jwt({ sub: 'x', iat: 1, exp: 2 })}`,
    'Bearer a.%.c',
    'Digest x',
  ];
  for (const authorization of theirs) expect(await seen({ authorization })).toEqual({ authorization });
  expect(await seen({ cookie: 'session=abc; theme=dark' })).toEqual({ cookie: 'session=abc; theme=dark' });
});

test('an h2c offer is not forwarded', async () => {
  const backend = await startBackend((_request, response) => response.end('ok'));
  const { http } = await startWithLocation(backend.url);
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  expect((await ask({ port: http, path: '/a', headers })).body).toBe('ok');
  const seen = backend.requests.at(-1)?.headers ?? {};
  expect([seen.upgrade, seen['http2-settings'], seen.connection]).toEqual([undefined, undefined, 'keep-alive']);
});

const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ';
test.each([
  ['switches protocols unasked', `${switched}websocket\r\n\r\n`],
  ['switches to no protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['responds with an invalid status', 'HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n'],
  ['answers no HTTP', 'hello\r\n\r\n'],
])('a backend that %s gives 502', async (_what, answer) => {
  const { http } = await startWithLocation((await startRawBackend(answer)).url);
  expect((await ask({ port: http, path: '/a' })).status).toBe(502);
  expect((await ask({ port: http, path: '/a', method: 'POST', body: 'x' })).status).toBe(502);
});

test.each([
  ['switches to another protocol', `${switched}h2c\r\n\r\n`],
  ['does not switch', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
])('a backend that gets a WebSocket upgrade and %s gives 502', async (_what, answer) => {
  const { http } = await startWithLocation((await startRawBackend(answer)).url);
  const text = await exchange(http, 'GET /a HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 502 /);
});

test.each([
  [
    'chunked',
    'Transfer-Encoding: chunked',
    '32\r\nGET /a/hidden HTTP/1.1\r\nX-Real-IP: me\r\nHost: h\r\n\r\n\r\n0\r\n\r\n',
  ],
  [
    'declared as hop-by-hop',
    'Connection: close, content-length\r\nContent-Length: 46',
    'GET /a/hidden HTTP/1.1\r\nX-Real-IP: me\r\nHost: h',
  ],
])('a body that is %s is never interpreted as a second request', async (_what, header, body) => {
  const raw = await startRawBackend('');
  const { http } = await startWithLocation(raw.url);
  const head = `DELETE /a HTTP/1.1\r\nHost: h\r\n${header}\r\n`;
  const socket = connect(http, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${head}\r\n${body}`);
  const text = await until(
    async () => raw.received(),
    (received) => received.includes('hidden'),
  );
  expect(text.slice(0, text.indexOf('\r\n\r\n'))).toMatch(/Transfer-Encoding: chunked|Content-Length: 46/i);
});

test('WebSockets are proxied in both directions, and closing one end closes the other', async () => {
  const warnings: string[] = [];
  const keep = ({ message }: Error) => warnings.push(message);
  process.on('warning', keep);
  onTestFinished(() => void process.off('warning', keep));
  const fixture = await startFixture();
  const backend = await startBackend((_request, response) => response.end('ok'));
  await setFront(fixture.env.dataDir, { locations: [{ location: '/chat', backend: backend.url }] });
  await until(
    () => ask({ port: fixture.http, path: '/chat' }),
    ({ body }) => body === 'ok',
  );
  const open = async () => {
    const socket = connect(fixture.http, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', (chunk) => (received += chunk));
    socket.write('GET /chat/room HTTP/1.1\r\nHost: me\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const untilEnd = (end: string) =>
      until(
        async () => received,
        (text) => text.endsWith(end),
      );
    await untilEnd('hello ');
    socket.write('and back');
    await untilEnd('hello and back');
    const request = backend.requests.at(-1) as IncomingMessage;
    expect(request).toMatchObject({ url: '/chat/room', headers: { upgrade: 'websocket' } });
    return { client: socket, backend: request.socket.on('error', () => undefined) };
  };
  for (const [leaver, other] of [
    ['client', 'backend'],
    ['backend', 'client'],
  ] as const) {
    for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const ends = await open();
      const closed = once(ends[other], 'close');
      ends[leaver][leave]();
      await closed;
    }
  }
  expect(warnings).toEqual([]);
});

test('data sent through a WebSocket before its end arrives, however slow the reader', async () => {
  const fixture = await startFixture();
  const backend = await startBackend((_request, response) => response.end('ok'));
  await setFront(fixture.env.dataDir, { locations: [{ location: '/chat', backend: backend.url }] });
  await until(
    () => ask({ port: fixture.http, path: '/chat' }),
    ({ body }) => body === 'ok',
  );
  const size = 16 * 1024 ** 2;
  const client = connect({ port: fixture.http, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void client.destroy());
  client.write('GET /chat HTTP/1.1\r\nHost: me\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(client, 'readable');
  client.end(Buffer.alloc(size, 'x'));
  let received = '';
  for await (const chunk of client) {
    received += String(chunk);
    await delay(1);
  }
  expect(received.length - (received.indexOf('hello ') + 'hello '.length)).toBe(size);
});

test('/ redirects to the configured page, unknown paths still to the console; a broken file changes nothing', async () => {
  const fixture = await startFixture();
  const lead = async (path: string) => (await ask({ port: fixture.http, path })).headers.location;
  expect(await lead('/')).toBe('/mgmt');
  await setFront(fixture.env.dataDir, { home: '/tools/player.html?url=/live/a.flv' });
  await until(
    () => lead('/'),
    (location) => location === '/tools/player.html?url=/live/a.flv',
  );
  expect(await lead('/unknown')).toBe('/mgmt');
  await writeFile(join(fixture.env.dataDir, 'config/front.json'), '{"home":');
  await setFront(fixture.env.dataDir, {
    home: '/',
    locations: [{ location: 'x' }, null, { location: '/y', backend: 'ftp://z' }],
    off: 7,
  });
  await until(
    () => lead('/'),
    (location) => location === '/mgmt',
  );
  expect(await lead('/y')).toBe('/mgmt');
});

test('a switched-off protocol: its sessions end, new ones are refused, all others continue', async () => {
  const fixture = await startFixture();
  const { engine } = fixture;
  const session = (clientId: string, type: ReturnType<typeof publisherOf>['type'], ip = '192.0.2.7') => ({
    ...publisherOf('a'),
    clientId,
    type,
    ip,
  });
  engine.shownClients = [
    clientOf(session('srt1', 'srt-publish')),
    clientOf(session('rtmp1', 'fmle-publish')),
    clientOf(session('rtmp2', 'rtmp-play', '127.0.0.1')),
    clientOf(session('flv1', 'flv-play')),
  ];
  await setFront(fixture.env.dataDir, { off: ['srt', 'rtmp'] });
  await until(
    async () => engine.kicked.length,
    (count) => count === 2,
  );
  expect(engine.kicked).toEqual(['srt1', 'rtmp1']);
  expect(await engine.ports.authorizePublish(session('x', 'srt-publish'))).toMatchObject({ reason: 'switched-off' });
  expect(await engine.ports.authorizePlay(session('x', 'rtmp-play'))).toMatchObject({ reason: 'switched-off' });
  expect(await engine.ports.authorizePlay(session('x', 'rtmp-play', '::ffff:127.0.0.1'))).toEqual({ allowed: true });
  expect(await engine.ports.authorizePlay(session('x', 'flv-play'))).toEqual({ allowed: true });
  await setFront(fixture.env.dataDir, { off: [] });
  await until(
    () => engine.ports.authorizePublish(session('x', 'srt-publish')),
    ({ allowed }) => allowed,
  );
});
