// Proxied paths, the home page and switched-off protocols, set through the file the control plane writes, while running.
import { once } from 'node:events';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { clientOf, publisherOf } from './fake-engine.ts';
import { bodyText } from './fake-platform.ts';
import { type Fixture, startFixture } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';

interface Backend {
  readonly port: number;
  readonly url: string;
  readonly requests: IncomingMessage[];
}

async function startBackend(answer: RequestListener): Promise<Backend> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on('upgrade', (request, socket) => {
    requests.push(request);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello ');
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, requests };
}

const file = (fixture: Pick<Fixture, 'env'>) => join(fixture.env.dataDir, 'config', 'front.json');

/** As the control plane does it: beside, then renamed. */
async function set({ env }: Pick<Fixture, 'env'>, settings: object): Promise<void> {
  await mkdir(join(env.dataDir, 'config'), { recursive: true });
  await writeFile(`${file({ env })}.new`, JSON.stringify(settings));
  await rename(`${file({ env })}.new`, file({ env }));
}

async function until<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    await delay(25);
  }
}

test('a new path reaches its backend without a restart, and is gone again when it is taken out', async () => {
  const fixture = await startFixture();
  const backend = await startBackend(async (request, response) => {
    response.setHeader('X-Shop', 'yes');
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.end(`${request.method} ${request.url} ${await bodyText(request)}`);
  });
  const get = (path: string, more = {}) => ask({ port: fixture.http, path, ...more });
  expect((await get('/shop/cart')).status).toBe(302);
  await set(fixture, { locations: [{ location: '/shop', backend: `${backend.url}/app` }] });
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
  await set(fixture, { locations: [] });
  await until(
    () => get('/shop/cart'),
    ({ status }) => status === 302,
  );
});

test('without a path of the backend the path stays; the longest location wins; redirects lead back', async () => {
  const fixture = await startFixture({
    prepare: (dataDir) => mkdir(join(dataDir, 'config'), { recursive: true }).then(() => undefined),
  });
  const plain = await startBackend((request, response) => response.end(`plain ${request.url}`));
  const deep = await startBackend((request, response) => {
    response.writeHead(302, { Location: request.url?.includes('rel') ? '/x/rel' : `${deep.url}/x/y?z` });
    response.end();
  });
  await set(fixture, {
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

test('paths of the product never leave it, even when the file says so', async () => {
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
  await set(fixture, { locations: locations.map((location) => ({ location, backend: backend.url })) });
  const get = (path: string) => ask({ port: fixture.http, path });
  await until(
    () => get('/proof'),
    ({ body }) => body === 'stolen',
  );
  for (const path of paths) expect((await get(path)).body, path).not.toBe('stolen');
});

test('paths that two servers could read differently are refused', async () => {
  const fixture = await startFixture();
  const backend = await startBackend((_request, response) => response.end('reached'));
  await set(fixture, { locations: [{ location: '/a', backend: `${backend.url}/b` }] });
  await until(
    () => ask({ port: fixture.http, path: '/a' }),
    ({ body }) => body === 'reached',
  );
  for (const path of ['/a/../x', '/a/%2e%2e/x', '/a/.%2E', '/a/b\\c', '/a/%5Cc', '/a/./x'])
    expect((await ask({ port: fixture.http, path })).status, path).toBe(400);
});

test('own listeners, link-local addresses and dead backends answer 502 and are never asked', async () => {
  const fixture = await startFixture();
  const { ports } = fixture.gateway;
  await set(fixture, {
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

test('WebSockets pass through in both directions', async () => {
  const fixture = await startFixture();
  const backend = await startBackend((_request, response) => response.end('ok'));
  await set(fixture, { locations: [{ location: '/chat', backend: backend.url }] });
  await until(
    () => ask({ port: fixture.http, path: '/chat' }),
    ({ body }) => body === 'ok',
  );
  const socket = connect(fixture.http, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  socket.write('GET /chat/room HTTP/1.1\r\nHost: me\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await until(
    async () => received,
    (text) => text.endsWith('hello '),
  );
  socket.write('and back');
  await until(
    async () => received,
    (text) => text.endsWith('hello and back'),
  );
  expect(backend.requests.at(-1)).toMatchObject({ url: '/chat/room', headers: { upgrade: 'websocket' } });
});

test('/ leads where the settings say, unknown paths still to the console; a broken file changes nothing', async () => {
  const fixture = await startFixture();
  const lead = async (path: string) => (await ask({ port: fixture.http, path })).headers.location;
  expect(await lead('/')).toBe('/mgmt');
  await set(fixture, { home: '/tools/player.html?url=/live/a.flv' });
  await until(
    () => lead('/'),
    (location) => location === '/tools/player.html?url=/live/a.flv',
  );
  expect(await lead('/unknown')).toBe('/mgmt');
  await writeFile(file(fixture), '{"home":');
  await set(fixture, {
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

test('a protocol that is switched off: its sessions end, new ones are refused, all others go on', async () => {
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
  await set(fixture, { off: ['srt', 'rtmp'] });
  await until(
    async () => engine.kicked.length,
    (count) => count === 2,
  );
  expect(engine.kicked).toEqual(['srt1', 'rtmp1']);
  expect(await engine.ports.authorizePublish(session('x', 'srt-publish'))).toMatchObject({ reason: 'switched-off' });
  expect(await engine.ports.authorizePlay(session('x', 'rtmp-play'))).toMatchObject({ reason: 'switched-off' });
  expect(await engine.ports.authorizePlay(session('x', 'rtmp-play', '::ffff:127.0.0.1'))).toEqual({ allowed: true });
  expect(await engine.ports.authorizePlay(session('x', 'flv-play'))).toEqual({ allowed: true });
  await set(fixture, { off: [] });
  await until(
    () => engine.ports.authorizePublish(session('x', 'srt-publish')),
    ({ allowed }) => allowed,
  );
});
