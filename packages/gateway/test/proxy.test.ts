import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { bodyText } from './fake-platform.ts';
import { startFixture } from './gateway-fixture.ts';
import { ask, countHeader } from './http-exchange.ts';

const corsHeaders = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Expose-Headers',
  'Access-Control-Allow-Credentials',
];

test('a call is forwarded with method, path, query, body and Host, and its response returned', async () => {
  const { platform, http } = await startFixture();
  platform.answer = async (incoming, response) => {
    const seen = {
      method: incoming.method,
      url: incoming.url,
      host: incoming.headers.host,
      body: await bodyText(incoming),
    };
    response.setHeader('X-Own', 'kept');
    response.writeHead(201).end(JSON.stringify(seen));
  };
  const answer = await ask({
    port: http,
    path: '/terraform/v1/mgmt/login?a=%2F&b',
    method: 'POST',
    headers: { host: 'stream.example.com' },
    body: '{"password":"x"}',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers['x-own']).toBe('kept');
  expect(JSON.parse(answer.body)).toEqual({
    method: 'POST',
    url: '/terraform/v1/mgmt/login?a=%2F&b',
    host: 'stream.example.com',
    body: '{"password":"x"}',
  });
});

test('private response headers are replaced, and each CORS header exists once', async () => {
  const { platform, http } = await startFixture();
  platform.answer = (_incoming, response) => {
    for (const name of [...corsHeaders, 'Access-Control-Request-Private-Network']) response.setHeader(name, 'upstream');
    response.setHeader('Server', 'upstream').end('{}');
  };
  const answer = await ask({ port: http, path: '/api/v1/streams/', headers: { origin: 'http://elsewhere' } });
  for (const name of corsHeaders) expect(countHeader(answer, name), name).toBe(1);
  expect(JSON.stringify(answer.rawHeaders)).not.toContain('upstream');
  expect(answer.headers.server).toMatch(/^srs-stack\//);
});

test('discards forwarded headers of an untrusted peer', async () => {
  const { platform, http } = await startFixture();
  platform.answer = (incoming, response) => response.end(JSON.stringify(incoming.headers));
  const headers = {
    host: 'h:2022',
    'x-forwarded-for': '10.1.1.1',
    'x-real-ip': '127.0.0.1',
    forwarded: 'for=127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil',
    connection: 'keep-alive, x-hop',
    'x-hop': '1',
  };
  const seen = JSON.parse((await ask({ port: http, path: '/terraform/v1/x', headers })).body) as Record<string, string>;
  expect(seen).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'h:2022',
  });
  expect(seen).not.toHaveProperty('x-real-ip');
  expect(seen).not.toHaveProperty('forwarded');
  expect(seen).not.toHaveProperty('x-hop');
});

test('uses forwarded headers of a trusted proxy', async () => {
  const { platform, http } = await startFixture({ variables: { TRUST_PROXY: '127.0.0.0/8' } });
  platform.answer = (incoming, response) => response.end(JSON.stringify(incoming.headers));
  const headers = {
    'x-forwarded-for': '198.51.100.1, 203.0.113.5',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'tv',
  };
  const seen = JSON.parse((await ask({ port: http, path: '/terraform/v1/x', headers })).body);
  expect(seen).toMatchObject({
    'x-forwarded-for': '203.0.113.5',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'tv',
  });
});

test('JSONP responses are forwarded unchanged', async () => {
  const { platform, http } = await startFixture();
  platform.answer = (_incoming, response) =>
    response.setHeader('Content-Type', 'application/javascript').end('cb({"code":0})');
  const answer = await ask({ port: http, path: '/terraform/v1/mgmt/versions?callback=cb' });
  expect(answer.body).toBe('cb({"code":0})');
  expect(answer.headers['content-type']).toBe('application/javascript');
});

test("without a control plane the response is a 502 in the console's format; afterwards calls work again", async () => {
  const { platform, env, http } = await startFixture();
  expect((await ask({ port: http, path: '/terraform/v1/x' })).status).toBe(200);
  await platform.close();
  const away = await ask({ port: http, path: '/terraform/v1/x', method: 'POST', body: '{}' });
  expect(away.status).toBe(502);
  expect(JSON.parse(away.body)).toMatchObject({
    code: 4101,
    server: process.pid,
    data: { name: 'controlPlaneRestarting' },
  });
  for (const name of corsHeaders) expect(countHeader(away, name), name).toBe(1);

  const { startFakePlatform } = await import('./fake-platform.ts');
  const again = await startFakePlatform((env.platform as { socketPath: string }).socketPath);
  expect((await ask({ port: http, path: '/terraform/v1/x' })).status).toBe(200);
  await again.close();
});

test('a control plane that ends during a response ends only that response', async () => {
  const { platform, http } = await startFixture();
  platform.answer = (_incoming, response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('begun', () => response.destroy());
  };
  await expect(ask({ port: http, path: '/terraform/v1/x' })).rejects.toThrow();
  platform.answer = (_incoming, response) => response.end('fine');
  expect((await ask({ port: http, path: '/terraform/v1/x' })).body).toBe('fine');
});

test('a JSON body above one megabyte is refused with 413, with or without Content-Length', async () => {
  const { platform, http } = await startFixture();
  platform.answer = async (incoming, response) => response.end(String((await bodyText(incoming)).length));
  const big = Buffer.alloc(1024 * 1024 + 1, 0x20);
  const announced = await ask({ port: http, path: '/terraform/v1/x', method: 'POST', body: big });
  expect(announced.status).toBe(413);
  expect(JSON.parse(announced.body)).toMatchObject({ code: 4001, data: { name: 'bodyTooLarge' } });
  const chunked = { 'transfer-encoding': 'chunked' };
  const unannounced = await ask({ port: http, path: '/terraform/v1/x', method: 'POST', body: big, headers: chunked });
  expect(unannounced.status).toBe(413);
  const allowed = await ask({ port: http, path: '/terraform/v1/x', method: 'POST', body: big.subarray(1) });
  expect(allowed.body).toBe(String(1024 * 1024));
});

test('an upload of any size streams: a control plane that does not read pauses the client', async () => {
  const { platform, http } = await startFixture();
  const read = Promise.withResolvers<void>();
  let received = 0;
  platform.answer = async (incoming, response) => {
    await read.promise;
    for await (const chunk of incoming as AsyncIterable<Buffer>) received += chunk.length;
    response.end('done');
  };
  const total = 64;
  const chunk = Buffer.alloc(1024 * 1024);
  const outgoing = request({ port: http, path: '/terraform/v1/ffmpeg/vlive/upload/a.mp4', method: 'POST' });
  let accepted = 0;
  const upload = async (): Promise<void> => {
    for (; accepted < total; accepted += 1) {
      if (!outgoing.write(chunk)) await once(outgoing, 'drain');
    }
    outgoing.end();
  };
  const uploaded = upload();
  // Waits until the client stalls because all buffers are full.
  for (let last = -1; last !== accepted; await new Promise((resolve) => setTimeout(resolve, 200))) last = accepted;
  expect(accepted).toBeLessThan(32);
  read.resolve();
  await uploaded;
  const [response] = await once(outgoing, 'response');
  expect(await bodyText(response)).toBe('done');
  expect(received).toBe(total * chunk.length);
});

test('an upload refused before it is read gets the refusal, and is not read to the end', async () => {
  const { platform, http } = await startFixture();
  platform.answer = (_incoming, response) => response.writeHead(401).end('no');
  const outgoing = request({ port: http, path: '/terraform/v1/ffmpeg/vlive/upload/a.mp4', method: 'POST' });
  const cut = new Promise((resolve) => outgoing.once('close', resolve));
  outgoing.on('error', () => undefined);
  outgoing.write(Buffer.alloc(1024 * 1024));
  const [response] = await once(outgoing, 'response');
  expect([response.statusCode, await bodyText(response)]).toEqual([401, 'no']);
  outgoing.write(Buffer.alloc(1024));
  await cut;
});

test('a client that disconnects during an upload ends it at the control plane', async () => {
  const { platform, http } = await startFixture();
  const begun = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<boolean>();
  platform.answer = (incoming) => {
    incoming.once('data', () => begun.resolve());
    incoming.once('close', () => broken.resolve(!incoming.complete));
    incoming.on('error', () => undefined);
  };
  const outgoing = request({ port: http, path: '/terraform/v1/ffmpeg/vlive/upload/a.mp4', method: 'POST' });
  outgoing.on('error', () => undefined);
  outgoing.write(Buffer.alloc(1024 * 1024));
  await begun.promise;
  outgoing.destroy();
  expect(await broken.promise).toBe(true);
});

test('a client that disconnects ends its request at the control plane', async () => {
  const { platform, http } = await startFixture();
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  platform.answer = (incoming) => {
    incoming.once('close', () => left.resolve());
    arrived.resolve();
  };
  const outgoing = request({ port: http, path: '/terraform/v1/slow' }).end();
  outgoing.on('error', () => undefined);
  await arrived.promise;
  outgoing.destroy();
  await left.promise;
});

test('an event stream is forwarded chunk by chunk', async () => {
  const { platform, http } = await startFixture();
  const next = Promise.withResolvers<void>();
  platform.answer = (_incoming, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: 1\n\n');
    void next.promise.then(() => response.end('data: 2\n\n'));
  };
  const outgoing = request({ port: http, path: '/terraform/v1/events' }).end();
  const [response] = await once(outgoing, 'response');
  const [first] = await once(response, 'data');
  expect(String(first)).toBe('data: 1\n\n');
  next.resolve();
  const [second] = await once(response, 'data');
  expect(String(second)).toBe('data: 2\n\n');
});

test('a reader that stops reading pauses the control plane', async () => {
  const { platform, http } = await startFixture();
  const held = Promise.withResolvers<number>();
  platform.answer = (_incoming, response) => {
    let written = 0;
    const chunk = Buffer.alloc(256 * 1024);
    const writeMore = (): void => {
      while (written < 256 * 1024 * 1024) {
        written += chunk.length;
        if (!response.write(chunk)) {
          // When nothing drains for this time, all buffers are full.
          const stuck = setTimeout(() => held.resolve(written), 300);
          response.once('drain', () => {
            clearTimeout(stuck);
            writeMore();
          });
          return;
        }
      }
      held.resolve(written);
    };
    response.writeHead(200, { 'Content-Type': 'video/mp4' });
    writeMore();
  };
  const socket = connect(http, '127.0.0.1');
  socket.pause();
  socket.write('GET /terraform/v1/file HTTP/1.1\r\nHost: h\r\n\r\n');
  expect(await held.promise).toBeLessThan(64 * 1024 * 1024);
  socket.destroy();
});
