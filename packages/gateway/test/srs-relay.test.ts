// With MEDIA_SERVER=srs, SRS serves media and signalling of the public front. The product serves all other calls.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bodyText } from './fake-platform.ts';
import { makeDataDir, startFixture } from './gateway-fixture.ts';
import { ask, countHeader } from './http-exchange.ts';

async function startSrs(name: string, stream = 'a', viewer = '') {
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request);
    if (request.url?.startsWith('/api/v1/streams/')) {
      response.end(
        JSON.stringify({
          code: 0,
          streams: [{ app: 'live', name: stream, publish: { active: true, cid: viewer || 'p' } }],
        }),
      );
      return;
    }
    if (request.url?.startsWith('/api/v1/clients/')) {
      const id = request.url.split('/').at(-1);
      response.end(JSON.stringify({ code: 0, client: { id, publish: id !== viewer } }));
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Server', 'SRS/5.0.213');
    response.statusCode = request.method === 'POST' ? 201 : 200;
    response.end(`${name} ${request.method} ${request.url} ${await bodyText(request)}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

test('FLV, HLS, WHIP and the health check go to the SRS, with the viewer’s address and each header once', async () => {
  const [api, http] = [await startSrs('api'), await startSrs('http')];
  const {
    gateway,
    http: port,
    engine,
    platform,
  } = await startFixture({
    variables: {
      MEDIA_SERVER: 'srs',
      SRS_API_SERVER: `127.0.0.1:${api.port}`,
      SRS_HTTP_SERVER: `127.0.0.1:${http.port}`,
      RTMP_PORT: '41935',
      SRT_LISTEN: 'off',
    },
  });
  platform.answer = (_request, response) => response.end('platform');
  expect(engine.config).toBeUndefined();
  expect(gateway.ports).toMatchObject({ rtmp: 41935, srt: null, rtc: 8000, srsApi: api.port });
  const flv = await ask({ port, path: '/live/a.flv?x=1', headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(flv.body).toBe('http GET /live/a.flv?x=1 ');
  expect(http.requests[0]!.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', host: `127.0.0.1:${port}` });
  expect([countHeader(flv, 'access-control-allow-origin'), countHeader(flv, 'server')]).toEqual([1, 1]);
  expect((await ask({ port, path: '/live/a.m3u8' })).body).toContain('http GET /live/a.m3u8');
  const whip = await ask({ port, path: '/rtc/v1/whip/?app=live&stream=a', method: 'POST', body: 'v=0\r\n' });
  expect(whip.status).toBe(201);
  expect(whip.body).toMatch(/^api POST \/rtc\/v1\/whip\/\?app=live&stream=a&eip=127\.0\.0\.1 v=0/);
  expect((await ask({ port, path: '/api/v1/versions' })).body).toContain('api GET /api/v1/versions');
  for (const path of ['/live/nobody.flv', '/live/nobody.ts', '/live/sub/a.flv?x=1']) {
    expect(await ask({ port, path }), path).toMatchObject({ status: 404 });
  }
  expect((await ask({ port, path: '/live/nobody-7-1700000000000.ts' })).body).toContain('http GET /live/nobody-7-');
  for (const path of ['/terraform/v1/mgmt/status', '/api/v1/streams/']) {
    expect((await ask({ port, path })).body, path).toBe('platform');
  }
});

test('playlists are 404 while HLS is switched off, although the SRS still serves its last ones', async () => {
  const [api, http] = [await startSrs('api'), await startSrs('http')];
  const dataDir = await makeDataDir();
  const file = join(dataDir, 'config/srs.vhost.conf');
  await mkdir(join(dataDir, 'config'), { recursive: true });
  await writeFile(file, 'hls { enabled off; }');
  const { http: port } = await startFixture({
    variables: {
      DATA_DIR: dataDir,
      MEDIA_SERVER: 'srs',
      SRS_API_SERVER: `127.0.0.1:${api.port}`,
      SRS_HTTP_SERVER: `127.0.0.1:${http.port}`,
    },
  });
  const statusOf = async (path: string) => (await ask({ port, path })).status;
  expect(await statusOf('/live/a.m3u8')).toBe(404);
  expect(await statusOf('/live/a.flv')).toBe(200);
  await writeFile(file, 'hls { enabled on; }');
  await vi.waitFor(async () => expect(await statusOf('/live/a.m3u8')).toBe(200), 20_000);
});

test('a WHIP call that the SRS closes without a response is a refusal', async () => {
  const silent = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.destroy()));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { http: port } = await startFixture({
    variables: {
      MEDIA_SERVER: 'srs',
      SRS_API_SERVER: `127.0.0.1:${(silent.address() as AddressInfo).port}`,
      SRS_HTTP_SERVER: '127.0.0.1:9',
    },
  });
  const whip = await ask({ port, path: '/rtc/v1/whip/?app=live&stream=a', method: 'POST', body: 'v=0\r\n' });
  expect([whip.status, JSON.parse(whip.body)]).toMatchObject([403, { code: 403, data: { name: 'refused' } }]);
});

test('WebRTC calls reach the SRS complete: too long or too slow ones are refused', async () => {
  const api = await startSrs('api');
  const { http: port } = await startFixture({
    variables: { MEDIA_SERVER: 'srs', SRS_API_SERVER: `127.0.0.1:${api.port}`, SRS_HTTP_SERVER: '127.0.0.1:9' },
    deadlines: { bodyMs: 300 },
  });
  const path = '/rtc/v1/whip/?app=live&stream=a';
  const head = (length: number) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  const answerTo = async (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(text);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    return `${answer}`.split('\r\n', 1)[0];
  };
  expect(await answerTo(`${head(100)}v=0`)).toContain('408');
  expect(await answerTo(head(4 * 1024 ** 2) + 'x'.repeat(3 * 1024 ** 2))).toContain('413');
  expect(api.requests).toEqual([]);
});

test('an unavailable SRS gives 502, and the product continues', async () => {
  const { http: port, platform } = await startFixture({
    variables: { MEDIA_SERVER: 'srs', SRS_API_SERVER: '127.0.0.1:9', SRS_HTTP_SERVER: '127.0.0.1:9' },
  });
  platform.answer = (_request, response) => response.end('platform');
  expect((await ask({ port, path: '/live/a.flv' })).status).toBe(502);
  expect((await ask({ port, path: '/terraform/v1/mgmt/status' })).body).toBe('platform');
});

test('with several servers a stream is fetched from the first that has it, anything else from the first that responds', async () => {
  const servers = [
    { api: await startSrs('api 1', 'b'), http: await startSrs('http 1') },
    { api: await startSrs('api 2', 'a'), http: await startSrs('http 2') },
    { api: await startSrs('api 3', 'waited-for', 'v'), http: await startSrs('http 3') },
  ];
  const listOf = (kind: 'api' | 'http') => servers.map((each) => `127.0.0.1:${each[kind].port}`);
  const { http: port, gateway } = await startFixture({
    variables: {
      MEDIA_SERVER: 'srs',
      SRS_API_SERVER: ['127.0.0.1:9', ...listOf('api')].join(','),
      SRS_HTTP_SERVER: ['127.0.0.1:9', ...listOf('http')].join(' '),
    },
  });
  expect(gateway.ports.srsApi).toBe(9);
  const first = async (path: string, method = 'GET', body = '') => {
    const answer = await ask({ port, path, method, body });
    return answer.status === 404 ? 404 : answer.body.split(' ').slice(0, 2).join(' ');
  };
  expect(await first('/live/a.flv')).toBe('http 2');
  expect(await first('/live/b.flv')).toBe('http 1');
  expect(await first('/live/c.flv')).toBe(404);
  // An SRS edge also lists a stream without a publisher for which a viewer waits.
  expect(await first('/live/waited-for.flv')).toBe(404);
  for (const path of ['/live/a.m3u8', '/live/a-12-1700000000000.ts']) expect(await first(path), path).toBe('http 2');
  expect(await first('/live/ended.m3u8')).toBe('http 1');
  expect(await first('/api/v1/versions')).toBe('api 1');
  expect(await first('/rtc/v1/whep/?app=live&stream=a', 'POST', 'v=0')).toBe('api 2');
  expect(await first('/rtc/v1/whip/?app=live&stream=new', 'POST', 'v=0')).toBe('api 1');
  const play = JSON.stringify({ streamurl: 'webrtc://example.com/live/a?x=1', sdp: 'v=0' });
  expect(await first('/rtc/v1/play/', 'POST', play)).toBe('api 2');
});
