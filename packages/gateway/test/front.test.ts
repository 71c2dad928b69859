import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { bodyText } from './fake-platform.ts';
import { makeDataDir, startFixture } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';

const watchScript = 'begin();\n';

async function makeConsole(): Promise<string> {
  const folder = await makeDataDir();
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, 'tools'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>console</title>');
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await mkdir(join(folder, 'console'));
  await writeFile(join(folder, 'console/en_index.html'), '<!doctype html><title>media server console</title>');
  await writeFile(join(folder, 'tools/player.html'), '<!doctype html><title>player</title>');
  await writeFile(join(folder, 'assets/main-DiwrgTda.js'), 'console.log("plain")');
  await writeFile(join(folder, 'assets/main-DiwrgTda.js.br'), brotliCompressSync('console.log("packed")'));
  await mkdir(join(folder, 'watch'));
  await writeFile(join(folder, 'watch/index.html'), `<!doctype html><!--preview--><script>${watchScript}</script>`);
  await writeFile(join(folder, '.secret'), 'no');
  return folder;
}

test('unknown paths redirect to the console', async () => {
  const { http } = await startFixture();
  for (const path of ['/', '/nothing', '/index.html', '//evil.example', '/mgmtx']) {
    const answer = await ask({ port: http, path });
    expect([answer.status, answer.headers.location], path).toEqual([302, '/mgmt']);
  }
});

test('the root redirects to the console with its query', async () => {
  const { http } = await startFixture();
  const answer = await ask({ port: http, path: '/?from=mail&x=1' });
  expect([answer.status, answer.headers.location]).toEqual([302, '/mgmt?from=mail&x=1']);
});

test('OPTIONS returns 200 with CORS headers on any path', async () => {
  const { http } = await startFixture();
  for (const path of ['/terraform/v1/mgmt/login', '/live/a.flv', '/rtc/v1/whip/', '/']) {
    const answer = await ask({ port: http, path, method: 'OPTIONS' });
    expect([answer.status, answer.body], path).toEqual([200, '']);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBe('true');
    expect(answer.headers['accept-post'], path).toBe(path === '/rtc/v1/whip/' ? 'application/sdp' : undefined);
  }
});

test("media paths go to the engine with the client's real address, whatever its headers contain", async () => {
  const { http, engine } = await startFixture();
  const answer = await ask({ port: http, path: '/live/known.flv?x=1', headers: { 'x-forwarded-for': '10.9.8.7' } });
  expect(answer.body).toBe('FLV');
  expect(engine.mediaRequests[0]).toMatchObject({
    clientAddress: '127.0.0.1',
    responseHeaders: expect.arrayContaining(['Access-Control-Allow-Origin', '*', 'Server']),
    headers: { 'x-forwarded-for': '127.0.0.1' },
  });
  expect((await ask({ port: http, path: '/live/other.m3u8' })).status).toBe(404);
});

test('the health check is open and has the format of old clients', async () => {
  const { http } = await startFixture();
  const answer = await ask({ port: http, path: '/api/v1/versions' });
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  const { code, data } = JSON.parse(answer.body);
  expect(code).toBe(0);
  expect(data).toMatchObject({ major: 5, minor: expect.any(Number), revision: expect.any(Number) });
  expect(data.version).toBe(`${data.major}.${data.minor}.${data.revision}`);
});

test('WebRTC calls reach the engine, with the addresses of this server in the query', async () => {
  const { http, engine } = await startFixture();
  const answer = await ask({ port: http, path: '/rtc/v1/whip/?app=live&stream=a', method: 'POST', body: 'v=0' });
  expect(answer.status).toBe(404); // the engine of this fixture has no WebRTC
  expect(engine.requests.at(-1)).toBe('/rtc/v1/whip/?app=live&stream=a&eip=127.0.0.1');
});

test('the bearer credential of a WHIP call becomes its secret', async () => {
  const { http, engine } = await startFixture();
  const headers = { authorization: 'Bearer X' };
  await ask({ port: http, path: '/rtc/v1/whip/?stream=a', method: 'POST', body: 'v=0', headers });
  expect(engine.requests.at(-1)).toBe('/rtc/v1/whip/?stream=a&secret=X&eip=127.0.0.1');
});

test('once an admin password is set the console page contains the rendered login page, in the language of the path', async () => {
  const consoleFolder = await makeConsole();
  await mkdir(join(consoleFolder, 'drawn'));
  for (const name of ['en', 'index']) await writeFile(join(consoleFolder, `drawn/${name}.html`), `drawn ${name}`);
  const { http, env } = await startFixture({ consoleFolder });
  const body = async (path: string) => (await ask({ port: http, path })).body;
  expect(await body('/mgmt/en/routers-login')).toContain('<title>console</title>');
  await mkdir(join(env.dataDir, 'config'), { recursive: true });
  await writeFile(join(env.dataDir, 'config/front.json'), JSON.stringify({ home: '/mgmt', initialised: true }));
  await vi.waitFor(async () => expect(await body('/mgmt/en/routers-login')).toBe('drawn en'), 20_000);
  expect(await body('/mgmt/en')).toBe('drawn en');
  for (const path of ['/mgmt', '/mgmt/', '/mgmt/zh/routers-login', '/mgmt/../en/x', '/mgmt/engine/x']) {
    expect(await body(path), path).toBe('drawn index');
  }
  expect((await ask({ port: http, path: '/mgmt/en/x' })).headers['cache-control']).toBe('no-cache');
  expect(await body('/mgmt/favicon.svg')).toBe('<svg/>');
});

test('the console page is served at every address of the console and never cached', async () => {
  const { http } = await startFixture({ consoleFolder: await makeConsole() });
  for (const path of [
    '/mgmt',
    '/mgmt/',
    '/mgmt/index.html',
    '/mgmt/zh/routers-login',
    '/mgmt/none.js?x',
    '/mgmt/.secret',
  ]) {
    const answer = await ask({ port: http, path });
    expect([answer.status, answer.body], path).toEqual([200, expect.stringContaining('<title>console')]);
    expect(answer.headers['cache-control'], path).toBe('no-cache');
    expect(answer.headers['content-type'], path).toBe('text/html; charset=utf-8');
  }
});

test('other sites cannot frame the console, but player pages', async () => {
  const { http } = await startFixture({ consoleFolder: await makeConsole() });
  const page = await ask({ port: http, path: '/mgmt', headers: { host: 'tv.example:2022' } });
  const policy = page.headers['content-security-policy'] as string;
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain('http://tv.example:*');
  expect(page.headers['x-content-type-options']).toBe('nosniff');
  expect(page.headers['referrer-policy']).toBe('same-origin');
  const player = await ask({ port: http, path: '/tools/player.html?url=/live/a.flv' });
  expect(player.body).toContain('<title>player');
  expect(player.headers['content-security-policy']).toContain('frame-ancestors *');
  expect(player.headers['cache-control']).toBe('no-cache');
  expect((await ask({ port: http, path: '/players/none.html' })).status).toBe(404);

  const mediaConsole = await ask({ port: http, path: '/console/en_index.html' });
  expect(mediaConsole.status).toBe(200);
  expect(mediaConsole.headers['content-security-policy']).toContain("frame-ancestors 'self'");
  expect(mediaConsole.headers['content-security-policy']).toContain("connect-src 'self' http: https:");
});

test("in the watch page only the build's inline script runs, and no script in a name", async () => {
  const { http, env } = await startFixture({ consoleFolder: await makeConsole() });
  const looks = [{ pattern: '*', name: '<script>evil()</script>', text: '</title><script>evil()</script>' }];
  await mkdir(join(env.dataDir, 'config'), { recursive: true });
  await writeFile(join(env.dataDir, 'config/watch-page.json'), JSON.stringify({ looks }));
  const page = await vi.waitFor(async () => {
    const answer = await ask({ port: http, path: '/watch/live/show' });
    expect(answer.body).toContain('evil');
    return answer;
  });
  const digest = createHash('sha256').update(watchScript).digest('base64');
  expect(page.headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${digest}';`);
  expect(page.body.match(/<script>/g)).toHaveLength(1);
});

test('hashed files are cached for a year, compressed if the browser accepts it', async () => {
  const { http } = await startFixture({ consoleFolder: await makeConsole() });
  const path = '/mgmt/assets/main-DiwrgTda.js';
  const plain = await ask({ port: http, path });
  expect(plain.body).toContain('plain');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/i);
  const packed = await ask({ port: http, path, headers: { 'accept-encoding': 'gzip, deflate, br' } });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
  expect(packed.headers.vary).toBe('Accept-Encoding');
  const again = await ask({ port: http, path, headers: { 'if-none-match': plain.headers.etag as string } });
  expect([again.status, again.body]).toEqual([304, '']);
  expect(plain.headers['last-modified']).toBeTruthy();
  const part = await ask({ port: http, path, headers: { range: 'bytes=0-6' } });
  expect([part.status, part.body]).toEqual([206, 'console']);
  for (const range of ['bytes=9-2', 'bytes=99999-', 'bytes=-', 'lines=1-2']) {
    expect([200, 206, 416]).toContain((await ask({ port: http, path, headers: { range } })).status);
  }
  const head = await ask({ port: http, path, method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, '']);
  expect((await ask({ port: http, path: '/mgmt/favicon.svg' })).headers['cache-control']).toBe('public, max-age=86400');
});

test('no path leaves the console folder', async () => {
  const folder = await makeConsole();
  await writeFile(join(folder, '../outside.txt'), 'outside').catch(() => undefined);
  const { http } = await startFixture({ consoleFolder: folder });
  for (const path of [
    '/mgmt/../outside.txt',
    '/mgmt/%2e%2e/outside.txt',
    '/tools/..%2f..%2foutside.txt',
    '/mgmt/%00.js',
    '/mgmt/%zz.js',
  ]) {
    expect((await ask({ port: http, path })).body, path).not.toContain('outside');
  }
});

test('an unbuilt console returns how to build it', async () => {
  const { http } = await startFixture();
  const answer = await ask({ port: http, path: '/mgmt' });
  expect([answer.status, answer.body]).toEqual([503, expect.stringContaining('npm run build')]);
});

test('serves ACME challenges, and no other file of the folder', async () => {
  const { http, env } = await startFixture();
  const folder = join(env.dataDir, '.well-known/acme-challenge');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tok_en-1'), 'tok_en-1.thumb');
  await writeFile(join(env.dataDir, 'config/secret'), 'hidden');
  await symlink(join(env.dataDir, 'config/secret'), join(folder, 'link'));
  const found = await ask({ port: http, path: '/.well-known/acme-challenge/tok_en-1' });
  expect([found.status, found.body]).toEqual([200, 'tok_en-1.thumb']);
  expect(found.headers['cache-control']).toBe('no-cache, max-age=0');
  for (const name of ['link', 'none', '..%2f..%2fconfig%2fsecret', '']) {
    expect((await ask({ port: http, path: `/.well-known/acme-challenge/${name}` })).status, name).toBe(404);
  }
});

test.each([
  ['oversized headers', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 'HTTP/1.1 431'],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 'HTTP/1.1 400'],
  ['a target that is not a path', 'GET nowhere HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n', 'HTTP/1.1 400'],
  ['an absolute target', 'GET http://h/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n', 'HTTP/1.1 302'],
  [
    'an upgrade that is not supported',
    'GET /x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'HTTP/1.1 404',
  ],
])('%s gets a clear error response', async (_what, bytes, expected) => {
  const { http } = await startFixture();
  const socket = connect(http, '127.0.0.1');
  socket.end(bytes, 'latin1');
  expect((await bodyText(socket)).slice(0, expected.length)).toBe(expected);
});

test.each([
  ['two Host headers', 'Host: h\r\nHost: h'],
  ['two Host headers in other spelling', 'Host: h\r\nX: 1\r\nhOST: other'],
  ['an invalid Host', 'Host: a/b'],
  ['a Host with a space', 'Host: a b'],
])('%s gives 400 on every path', async (_what, headers) => {
  const { http, platform } = await startFixture();
  let requestCount = 0;
  platform.answer = (_incoming, response) => {
    requestCount += 1;
    response.end('{}');
  };
  const paths = [
    '/',
    '/terraform/v1/x',
    '/api/v1/versions',
    '/live/known.flv',
    '/mgmt',
    '/rtc/v1/whip/',
    '/tools/x',
    '/x',
  ];
  const status = async (text: string) => {
    const socket = connect(http, '127.0.0.1');
    socket.end(text);
    return (await bodyText(socket)).slice(0, 12);
  };
  for (const path of paths) {
    expect(await status(`GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`), path).toBe('HTTP/1.1 400');
    const upgrade = `GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await status(upgrade), path).toBe('HTTP/1.1 400');
  }
  expect(requestCount).toBe(0);
});

test.each(['h', 'h:2022', '[::1]:2022', '[fe80::1%25eth0]', 'my_host.example.', '10.0.0.1:1', ''])(
  'the host %j is valid',
  async (host) => {
    const { http } = await startFixture();
    const socket = connect(http, '127.0.0.1');
    socket.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect((await bodyText(socket)).slice(0, 12)).toBe('HTTP/1.1 302');
  },
);

test('a refused upgrade closes its connection even when the client keeps its side open', async () => {
  const { http } = await startFixture();
  const socket = connect({ port: http, host: '127.0.0.1', allowHalfOpen: true });
  socket.write('GET /x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  socket.resume();
  await once(socket, 'end');
  // The server has closed the connection completely, so the kernel responds with a reset.
  const reset = once(socket, 'error');
  const timer = setInterval(() => socket.write('x'), 20);
  expect((await reset)[0]).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
  clearInterval(timer);
});

test('an unread body does not keep its connection open', async () => {
  const { http } = await startFixture();
  const socket = connect(http, '127.0.0.1');
  socket.write('POST /nothing HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nx');
  const timer = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => undefined).resume();
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
});

test('a client that offers h2c is served over HTTP/1.1', async () => {
  const { http } = await startFixture();
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  expect((await ask({ port: http, path: '/terraform/v1/x', headers })).status).toBe(200);
});

test('a stop completes open responses and closes idle connections', async () => {
  const { http, platform, gateway } = await startFixture();
  const arrived = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  platform.answer = (_incoming, response) => {
    arrived.resolve();
    void go.promise.then(() => response.end('late'));
  };
  const idle = connect(http, '127.0.0.1');
  await once(idle, 'connect');
  const answer = ask({ port: http, path: '/terraform/v1/x' });
  await arrived.promise;
  const closed = gateway.close();
  go.resolve();
  expect((await answer).body).toBe('late');
  await closed;
});
