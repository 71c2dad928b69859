import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { clientOf, publisherOf, streamOf } from './fake-engine.ts';
import { startFixture } from './gateway-fixture.ts';
import { ask, type TestResponse } from './http-exchange.ts';

async function startApi() {
  const fixture = await startFixture();
  const port = fixture.gateway.ports.srsApi;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what these tests check
  const call = async (path: string, method = 'GET'): Promise<TestResponse & { json: any }> => {
    const answer = await ask({ port, path, method });
    return { ...answer, json: answer.body.startsWith('{') ? JSON.parse(answer.body) : undefined };
  };
  return { ...fixture, call };
}

test('every response names the server, the service and the process', async () => {
  const { call } = await startApi();
  const { json, headers } = await call('/api/v1/versions');
  expect(headers['content-type']).toBe('application/json');
  expect(json).toMatchObject({
    code: 0,
    server: expect.stringMatching(/^vid-[a-z0-9]{7}$/),
    service: expect.stringMatching(/^[a-z0-9]{8}$/),
    pid: String(process.pid),
  });
});

test('a page after DNS rebinding, or one that embeds a call as a script, gets nothing', async () => {
  const { gateway } = await startApi();
  const path = '/api/v1/streams/?callback=steal';
  const call = (headers: Record<string, string>) => ask({ port: gateway.ports.srsApi, path, headers });
  expect((await call({ host: 'localhost:1985' })).body).toMatch(/^steal\(/);
  for (const headers of [{ host: 'evil.example:1985' }, { 'sec-fetch-site': 'cross-site' }]) {
    const answer = await call(headers as Record<string, string>);
    expect([answer.status, answer.body.includes('streams')]).toEqual([403, false]);
  }
});

test('signalling is open to all, as on the public port, and forwards client and server address', async () => {
  const { gateway, engine } = await startFixture();
  const port = gateway.ports.srsApi;
  const path = '/rtc/v1/whip/?app=live&stream=known';
  const headers = { host: '203.0.113.5:2022', 'x-forwarded-for': '198.51.100.7', 'sec-fetch-site': 'cross-site' };
  const answer = await ask({ port, path, method: 'POST', headers, body: 'v=0' });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(engine.requests).toEqual([`${path}&eip=203.0.113.5`]);
  expect(engine.mediaRequests[0]).toMatchObject({ clientAddress: '198.51.100.7' });
  // An `eip` in the request takes precedence over the address from the Host header.
  await ask({ port, path: `${path}&eip=192.0.2.1`, method: 'POST', headers, body: 'v=0' });
  expect(engine.requests.at(-1)).toBe(`${path}&eip=192.0.2.1`);
  await ask({ port, path: `${path}&token=x`, method: 'DELETE', headers });
  expect(engine.requests.at(-1)).toBe(`${path}&token=x`);
  expect((await ask({ port, path, method: 'OPTIONS', headers })).headers['access-control-allow-methods']).toBe('*');
  expect((await ask({ port, path: '/rtc/v1/other/', method: 'POST', headers })).status).toBe(404);
});

test('versions are open to all; control calls only to local callers and configured names', async () => {
  const { gateway } = await startFixture({ variables: { SRS_API_HOSTS: 'live.example.com, other.example' } });
  const statusOf = async (path: string, host: string) =>
    (await ask({ port: gateway.ports.srsApi, path, headers: { host } })).status;
  expect(await statusOf('/api/v1/versions', 'evil.example')).toBe(200);
  expect(await statusOf('/api/v1/streams/', 'evil.example')).toBe(403);
  expect(await statusOf('/api/v1/streams/', 'live.example.com:2022')).toBe(200);
});

test('the port has the same limits as the public ones', async () => {
  const { gateway } = await startFixture();
  const exchange = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(gateway.ports.srsApi, '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer)).on('error', reject);
    });
  const twice = 'GET /rtc/v1/whip/ HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n';
  expect(await exchange(twice)).toMatch(/^HTTP\/1.1 400/);
  expect(await exchange(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431/);
  const upgrade = 'GET /rtc/v1/whip/ HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  expect(await exchange(upgrade)).toMatch(/^HTTP\/1.1 404/);
});

test('summaries contain version, memory, CPUs and traffic with the keys of SRS', async () => {
  const { call } = await startApi();
  const { data } = (await call('/api/v1/summaries')).json;
  const versions = (await call('/api/v1/versions')).json.data;
  expect(data.ok).toBe(true);
  expect(data.now_ms).toBeTypeOf('number');
  expect(Object.keys(data.self)).toEqual(
    'version pid ppid argv cwd mem_kbyte mem_percent cpu_percent srs_uptime ext'.split(' '),
  );
  expect(data.self.version).toBe(versions.version);
  expect(data.self.mem_kbyte).toBeGreaterThan(1000);
  expect(Object.keys(data.system).join(' ')).toBe(
    'cpu_percent disk_read_KBps disk_write_KBps disk_busy_percent mem_ram_kbyte mem_ram_percent mem_swap_kbyte ' +
      'mem_swap_percent cpus cpus_online uptime ilde_time load_1m load_5m load_15m net_sample_time net_recv_bytes ' +
      'net_send_bytes net_recvi_bytes net_sendi_bytes srs_sample_time srs_recv_bytes srs_send_bytes conn_sys ' +
      'conn_sys_et conn_sys_tw conn_sys_udp conn_srs',
  );
  expect(data.system.cpus).toBeGreaterThan(0);
  expect(data.system).toMatchObject({ srs_recv_bytes: 10, srs_send_bytes: 20, conn_srs: 3 });
});

test('a stream has the keys of SRS and additional ones in `ext`', async () => {
  const { call, engine } = await startApi();
  engine.shownStreams = [streamOf('a'), streamOf('b', { publisher: undefined, video: undefined, audio: undefined })];
  const { streams } = (await call('/api/v1/streams/')).json;
  expect(streams[0]).toEqual({
    id: 'vid-000000a',
    name: 'a',
    vhost: expect.stringMatching(/^vid-[a-z0-9]{7}$/),
    app: 'live',
    tcUrl: 'rtmp://example.com/live',
    url: '/live/a',
    live_ms: expect.any(Number),
    clients: 2,
    frames: 1500,
    send_bytes: 2000,
    recv_bytes: 1000,
    kbps: { recv_30s: 812, send_30s: 1625 },
    publish: { active: true, cid: 'abcd1234' },
    video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720 },
    audio: { codec: 'AAC', sample_rate: 44_100, channel: 2, profile: 'LC' },
    ext: {
      protocol: 'rtmp',
      ip: '192.0.2.7',
      hasMedia: true,
      fps: 25,
      keyframeIntervalMs: 2000,
      bitrateHistoryKbps: [800, 820],
      timestampRepairs: 1,
      publishedForMs: 61_000,
      viewersByProtocol: { flv: 1 },
      slowViewers: 0,
      health: expect.objectContaining({ longestGapMs: 40, declaredFps: 25, hasBFrames: false }),
    },
  });
  expect(streams[1]).toMatchObject({ publish: { active: false }, video: null, audio: null });
  expect((await call('/api/v1/streams/vid-000000b')).json.stream.name).toBe('b');
  expect((await call('/api/v1/streams/vid-none')).json.code).toBe(2048);
});

test('returns the newest keyframe of a stream as FLV, without a viewer session', async () => {
  const { call, engine } = await startApi();
  engine.shownStreams = [streamOf('a')];
  const { json } = await call(`/api/v1/keyframes/${engine.shownStreams[0]!.id}`);
  expect([json.code, Buffer.from(json.keyframe.flv, 'base64').toString()]).toEqual([0, 'FLV']);
  expect((await call('/api/v1/keyframes/vid-none')).json.code).toBe(2048);
});

test('a stream has connection metrics of its publisher if the protocol has them', async () => {
  const { call, engine } = await startApi();
  const publisherDetail = { rttMs: 12.5, lostPackets: 3 };
  engine.shownStreams = [streamOf('a', { publisherDetail }), streamOf('b')];
  const [withFigures, without] = (await call('/api/v1/streams/')).json.streams;
  expect(withFigures.ext.publisherDetail).toEqual(publisherDetail);
  expect(without.ext).not.toHaveProperty('publisherDetail');
});

test('lists are paged by start and count, at least ten rows', async () => {
  const { call, engine } = await startApi();
  engine.shownStreams = Array.from({ length: 25 }, (_, index) => streamOf(`s${index}`));
  const names = async (query: string) =>
    (await call(`/api/v1/streams/${query}`)).json.streams.map(({ name }: { name: string }) => name);
  expect(await names('')).toHaveLength(10);
  expect(await names('?count=3')).toHaveLength(10);
  expect(await names('?count=20')).toHaveLength(20);
  expect(await names('?start=20&count=100')).toEqual(['s20', 's21', 's22', 's23', 's24']);
  expect(await names('?start=-1&count=x')).toHaveLength(10);
  expect(await names('?start=1e9')).toEqual(['s1', ...Array.from({ length: 9 }, (_, index) => `s${index + 2}`)]);
});

test('clients are listed, found and disconnected', async () => {
  const { call, engine } = await startApi();
  engine.shownClients = [clientOf(publisherOf('a'))];
  const { client } = (await call('/api/v1/clients/abcd1234')).json;
  expect(client).toMatchObject({
    id: 'abcd1234',
    stream: 'vid-0000001',
    ip: '192.0.2.7',
    pageUrl: '',
    swfUrl: '',
    url: '/live/a',
    name: 'a',
    type: 'fmle-publish',
    publish: true,
    alive: 1.5,
    kbps: { recv_30s: 3, send_30s: 4 },
    ext: { droppedFrames: 5, queuedBytes: 6 },
  });
  expect((await call('/api/v1/clients/')).json.clients).toEqual([client]);
  expect((await call('/api/v1/clients/abcd1234', 'DELETE')).json.code).toBe(0);
  expect(engine.kicked).toEqual(['abcd1234']);
  expect((await call('/api/v1/clients/nobody', 'DELETE')).json.code).toBe(2049);
  expect((await call('/api/v1/clients/nobody')).json.code).toBe(2049);
});

test('virtual hosts sum their streams', async () => {
  const { call, engine } = await startApi();
  engine.shownStreams = [streamOf('a'), streamOf('b')];
  const [vhost] = (await call('/api/v1/vhosts/')).json.vhosts;
  expect(vhost).toMatchObject({ name: '__defaultVhost__', enabled: true, streams: 2, clients: 4, send_bytes: 4000 });
  expect(vhost.hls).toEqual({ enabled: true, fragment: 2 });
  expect((await call(`/api/v1/vhosts/${vhost.id}`)).json.vhost.name).toBe('__defaultVhost__');
});

test('refusals have their time in RFC 3339 format', async () => {
  const { call } = await startApi();
  expect((await call('/api/v1/refusals/')).json.refusals[0]).toEqual({
    at: '2026-01-02T03:04:05.000Z',
    protocol: 'rtmp',
    action: 'publish',
    ip: '192.0.2.7',
    app: 'live',
    stream: 'a',
    reason: 'publish-secret-wrong',
    detail: 'the publish secret is missing or wrong',
  });
});

test('the smaller system calls respond', async () => {
  const { call } = await startApi();
  for (const name of ['rusages', 'self_proc_stats', 'system_proc_stats', 'meminfos', 'authors', 'features']) {
    const { status, json } = await call(`/api/v1/${name}`);
    expect([status, json.code], name).toEqual([200, 0]);
    expect(Object.keys(json.data).length, name).toBeGreaterThan(0);
  }
  const { data } = (await call('/api/v1/clusters?vhost=v&app=live&stream=a')).json;
  expect(data).toEqual({ query: { vhost: 'v', app: 'live', stream: 'a' }, origin: null });
});

test('paths, methods and JSONP follow the rules of SRS', async () => {
  const { call } = await startApi();
  const redirected = await call('/api/v1/streams?start=5');
  expect([redirected.status, redirected.headers.location]).toEqual([302, '/api/v1/streams/?start=5']);
  expect((await call('/api/v1/streams/', 'PUT')).status).toBe(405);
  expect((await call('/api/v1/versions', 'DELETE')).status).toBe(405);
  expect((await call('/api/v1/unknown')).status).toBe(404);
  expect((await call('/')).status).toBe(404);
  expect((await call('/api/v1/constructor')).status).toBe(404);
  const jsonp = await call('/api/v1/versions?callback=page.show');
  expect(jsonp.body).toMatch(/^page\.show\(\{"code":0,.*\}\)$/);
  expect(jsonp.headers['content-type']).toBe('text/javascript');
  expect((await call('/api/v1/versions?callback=alert(1)//')).status).toBe(400);
});

test('applies settings that change during the start, before a reload can be requested', async () => {
  const { engine } = await startFixture({
    whileStarting: (dataDir) =>
      writeFile(join(dataDir, 'config/srs.vhost.conf'), 'hls { enabled on; hls_fragment 10; hls_window 60; }'),
  });
  await vi.waitFor(() => expect(engine.reconfigured).toEqual([expect.objectContaining({ fragmentSeconds: 10 })]));
});

test('a reload applies the generated settings and reports its result', async () => {
  const { call, engine, env } = await startApi();
  const file = join(env.dataDir, 'config/srs.vhost.conf');
  const reload = async () => {
    expect((await call('/api/v1/raw?rpc=reload')).json.code).toBe(0);
    for (;;) {
      const { data } = (await call('/api/v1/raw?rpc=reload-fetch')).json;
      if (data.state === 90) return data;
    }
  };
  expect(engine.config?.hls).toMatchObject({ fragmentSeconds: 2, windowSeconds: 30, sessionContexts: true });
  await writeFile(file, 'hls { enabled on; hls_fragment 10; hls_window 60; hls_ctx off; hls_ts_ctx off; }');
  expect(await reload()).toMatchObject({ err: 0, msg: 'Success', rid: expect.stringMatching(/^\w{7}$/) });
  expect(engine.reconfigured).toEqual([
    expect.objectContaining({ fragmentSeconds: 10, windowSeconds: 60, sessionContexts: false, path: env.hlsPath }),
  ]);
  await reload();
  expect(engine.reconfigured, 'unchanged settings restart nothing').toHaveLength(1);
  await writeFile(file, 'hls { hls_fragment');
  expect(await reload()).toMatchObject({ err: 1023, msg: expect.stringContaining('ends') });
  expect(engine.reconfigured).toHaveLength(1);
  expect((await call('/api/v1/raw?rpc=raw')).json.http_api.raw_api).toEqual({ enabled: true, allow_reload: true });
  expect((await call('/api/v1/raw?rpc=update')).json.code).toBe(1061);
  expect((await call('/api/v1/raw')).json.code).toBe(1060);
});

test('a test of a target starts from the file of the control plane alone', async () => {
  const { call, engine, env } = await startApi();
  const id = crypto.randomUUID();
  const path = `/api/v1/pushtests/${id}`;
  expect((await call(path, 'POST')).json).toMatchObject({ code: 0 });
  expect((await call(path)).json).toMatchObject({ code: 2048 });
  const tests = join(env.dataDir, 'run', 'push-tests');
  await mkdir(tests, { recursive: true });
  const order = { server: 'rtmp://target.example/live', key: 'secret-key', sends: 'media' };
  await writeFile(join(tests, `${id}.json`), JSON.stringify(order));
  await writeFile(join(env.dataDir, 'run', 'outside.json'), JSON.stringify(order));
  await call('/api/v1/pushtests/outside', 'POST');
  await call(`${path}?server=rtmp://evil.example/live`, 'POST');
  await vi.waitFor(async () => expect((await call(path)).json).toMatchObject({ code: 0, test: { id, isDone: false } }));
  expect(engine.pushTestOrders).toEqual([{ id, ...order }]);
  expect((await call(path)).body).not.toContain('secret-key');
  expect((await call(path, 'DELETE')).status).toBe(405);
});
