// Calls for environment, versions, texts, HLS delivery, limits, HLS segments and the proxied API.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileHandoverHeader } from '@srs-stack/contract';
import { maxSegmentsPerCall } from '@srs-stack/contract/limits.ts';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMediaServerDouble } from '../src/testing/media-server-double.ts';
import { openTestPlatform, type TestPlatform, testBearer, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const data = async (...args: Parameters<TestPlatform['call']>) => (await platform.call(...args)).body.data;

describe('HLS settings of several media servers', () => {
  it('keep the previous values on all when one cannot apply the new ones', async () => {
    const other = await startMediaServerDouble();
    const servers = [platform.mediaServer.port, other.port].map((port) => `127.0.0.1:${port}`);
    platform = await platform.reopen({ MEDIA_SERVER: 'srs', SRS_API_SERVER: servers.join(' ') });
    const reloads = () =>
      [platform.mediaServer, other].map(
        ({ requests }) => requests.filter((call) => call.endsWith('rpc=reload')).length,
      );
    expect((await platform.call('updateHighPerformanceHls', { noHlsCtx: true })).status).toBe(200);
    expect(reloads()).toEqual([1, 1]);
    other.reloadCode = 1061;
    const refused = await platform.call('updateHighPerformanceHls', { noHlsCtx: false });
    expect(refused).toMatchObject({ status: 502, body: { data: { name: 'mediaServerUnreachable' } } });
    expect(JSON.stringify(refused.body)).toContain(servers[1]);
    expect(reloads()).toEqual([3, 3]);
    expect(await data('queryHighPerformanceHls')).toMatchObject({ noHlsCtx: true });
    expect(await readFile(join(platform.dataDir, 'config', 'srs.vhost.conf'), 'utf8')).toContain('hls_ctx off;');
    await other.close();
  });
});

describe('system calls', () => {
  it('return the version at every path', async () => {
    for (const area of ['mgmt', 'host', 'ffmpeg', 'hooks', 'tencent']) {
      const response = await platform.callPath(`/terraform/v1/${area}/versions`, undefined, {});
      expect(response.body.data).toEqual({ version: '0.1.0' });
    }
    expect(await data('status')).toEqual({
      version: 'v0.1.0',
      releases: { version: 'v0.1.0', stable: 'v0.1.0', latest: 'v0.1.0', checkedAt: null },
      upgrading: false,
      strategy: 'manual',
    });
    expect(await data('check', undefined, {})).toEqual({ upgrading: false });
  });

  it('return 1007 while the store does not respond', async () => {
    await platform.modules.streams.counters.close();
    platform.modules.streams.active.list = () =>
      Promise.reject(Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR' }));
    expect(await platform.call('queryStreams')).toMatchObject({
      status: 503,
      body: { code: 1007, data: { name: 'storeNotReady' } },
    });
  });

  it('return ports: configured, else bound, else default', async () => {
    const defaults = {
      rtmpPort: '1935',
      httpPort: '',
      srtPort: '10080',
      rtcPort: '8000',
      forwardLimit: 10,
      vLiveLimit: 10,
      cameraLimit: 10,
    };
    expect(await data('envs', {}, {})).toEqual({
      mgmtDocker: true,
      platformDocker: false,
      candidate: false,
      ...defaults,
    });
    await writeFile(
      join(platform.dataDir, 'run', 'ports.json'),
      '{"pid":1,"http":1,"https":2,"rtmp":41935,"rtmps":1936,"rtsp":8554,"srt":null,"rtc":null,"srsApi":5}',
    );
    expect(await data('envs', {}, {})).toMatchObject({
      rtmpPort: '41935',
      srtPort: '10080',
      httpsPort: '2',
      rtmpsPort: '1936',
      rtspPort: '8554',
    });
    platform = await platform.reopen({
      RTMP_PORT: '19350',
      RTSP_PORT: '554',
      HTTP_PORT: '80',
      CANDIDATE: '1.2.3.4',
      PLATFORM_DOCKER: 'on',
      SRS_FORWARD_LIMIT: '3',
    });
    expect(await data('envs', {}, {})).toMatchObject({
      rtmpPort: '19350',
      rtspPort: '554',
      httpPort: '80',
      candidate: true,
      platformDocker: true,
      forwardLimit: 3,
    });
  });

  it('store the locale, and tolerate invalid ones', async () => {
    for (const locale of ['en', 'zh', 'fr', '']) expect((await platform.call('envs', { locale }, {})).status).toBe(200);
    expect((await platform.call('envs', { locale: 'x'.repeat(17) }, {})).status).toBe(400);
    expect((await platform.call('envs', { locale: 5 }, {})).status).toBe(400);
  });
});

describe('texts of the page', () => {
  it('are set one by one and read without a credential', async () => {
    expect(await data('queryBeian', undefined, {})).toEqual({});
    await platform.call('updateBeian', { beian: 'icp', text: 'ICP 1' });
    await platform.call('updateBeian', { beian: 'title', text: '标题 <b>' });
    platform = await platform.reopen();
    expect(await data('queryBeian', undefined, {})).toEqual({ icp: 'ICP 1', title: '标题 <b>' });
  });

  it('return to the default when they are emptied', async () => {
    await platform.call('updateBeian', { beian: 'icp', text: 'ICP 1' });
    await platform.call('updateBeian', { beian: 'title', text: 'Mine' });
    expect((await platform.call('updateBeian', { beian: 'icp', text: '' })).status).toBe(200);
    expect((await platform.call('updateBeian', { beian: 'title', text: '', previous: 'Mine' })).status).toBe(200);
    expect(await data('queryBeian', undefined, {})).toEqual({});
  });

  it.each(['other', '', '__proto__', 'TITLE'])('have only two names: "%s" is refused', async (beian) => {
    const { status, body } = await platform.call('updateBeian', { beian, text: 'x' });
    expect([status, body.data.message]).toEqual([400, expect.stringContaining('beian')]);
  });
});

describe('HLS delivery', () => {
  const config = () => readFile(join(platform.dataDir, 'config', 'srs.vhost.conf'), 'utf8');

  it('is written for the media server, which is reloaded, and shown immediately', async () => {
    await platform.modules.hls.apply();
    expect(await config()).toContain(`hls_path ${join(platform.dataDir, 'hls')};`);
    expect(await config()).toContain('hls_fragment 2;');
    expect(await config()).not.toContain('hls_ctx');
    expect(await data('queryHighPerformanceHls')).toMatchObject({ noHlsCtx: false });
    expect((await platform.call('updateHighPerformanceHls', { noHlsCtx: true })).status).toBe(200);
    expect(await config()).toContain('hls_ctx off;\n    hls_ts_ctx off;');
    expect((await platform.call('updateLowLatencyHls', { hlsLowLatency: true })).status).toBe(200);
    expect(await config()).toMatch(/hls_fragment 1;[\s\S]*hls_ctx off;/);
    expect(await data('queryHighPerformanceHls')).toMatchObject({ noHlsCtx: true });
    expect(await data('queryLowLatencyHls')).toMatchObject({ hlsLowLatency: true });
    expect(platform.mediaServer.requests.filter((each) => each === 'GET /api/v1/raw?rpc=reload')).toHaveLength(3);
    platform = await platform.reopen();
    expect(await data('queryHighPerformanceHls')).toMatchObject({ noHlsCtx: true });
  });

  it('changes nothing when the media server refuses or is down', async () => {
    await platform.modules.hls.apply();
    const before = await config();
    platform.mediaServer.reloadCode = 1061;
    expect(await platform.call('updateHighPerformanceHls', { noHlsCtx: true })).toMatchObject({
      status: 502,
      body: { code: 4100 },
    });
    await platform.mediaServer.close();
    expect((await platform.call('updateLowLatencyHls', { hlsLowLatency: true })).status).toBe(502);
    expect(await config()).toBe(before);
    expect(await data('queryHighPerformanceHls')).toMatchObject({ noHlsCtx: false });
  });

  it('refuses anything but a boolean', async () => {
    expect((await platform.call('updateHighPerformanceHls', { noHlsCtx: 'true' })).status).toBe(400);
    expect((await platform.call('updateLowLatencyHls', { hlsLowLatency: 1 })).status).toBe(400);
  });
});

describe('source limits', () => {
  it('are 5000 until set, and must be positive', async () => {
    expect(await data('queryLimits')).toMatchObject({ vlive: 5000, camera: 5000 });
    expect((await platform.call('updateLimits', { vlive: 8000, camera: 100 })).status).toBe(200);
    expect(await data('queryLimits')).toMatchObject({ vlive: 8000, camera: 100 });
    for (const bad of [
      {},
      { vlive: 1 },
      { vlive: 0, camera: 1 },
      { vlive: -1, camera: 1 },
      { vlive: 1.5, camera: 1 },
      { vlive: '1', camera: 1 },
    ]) {
      expect((await platform.call('updateLimits', bad)).status, JSON.stringify(bad)).toBe(400);
    }
  });
});

describe('finished HLS segments', () => {
  const secret = { 'x-callback-secret': testCallbackSecret };
  const segment = {
    action: 'on_hls',
    app: 'live',
    stream: 'a',
    duration: 2.5,
    url: 'live/a-0.ts',
    m3u8_url: 'live/a.m3u8',
    seq_no: 7,
  };
  const hook = (fields: object) => platform.call('hlsSegment', { ...segment, ...fields }, secret);
  const hookMany = (...each: object[]) =>
    platform.call('hlsSegments', { segments: each.map((fields) => ({ ...segment, ...fields })) }, secret);

  it('are passed to subscribers before the response, with their real path', async () => {
    const hls = join(platform.dataDir, 'hls');
    await mkdir(join(hls, 'live'), { recursive: true });
    await writeFile(join(hls, 'live', 'a-0.ts'), 'x');
    const seen: object[] = [];
    const stop = platform.modules.streams.segments.subscribe(async (segment) => {
      seen.push(segment);
    });
    expect((await hook({ file: join(hls, 'live', 'a-0.ts') })).status).toBe(200);
    expect((await hook({ file: './hls/live/a-0.ts', cwd: platform.dataDir })).status).toBe(200);
    stop();
    expect((await hook({ file: join(hls, 'live', 'a-0.ts') })).status).toBe(200);
    expect(seen).toHaveLength(2);
    expect(seen[0]).toMatchObject({
      app: 'live',
      stream: 'a',
      file: join(hls, 'live', 'a-0.ts'),
      durationSeconds: 2.5,
      sequenceNumber: 7,
      m3u8Url: 'live/a.m3u8',
    });
  });

  it('may arrive in one call, and the response contains their number', async () => {
    const hls = join(platform.dataDir, 'hls');
    await mkdir(hls);
    const streams = ['a', 'b'];
    const events = streams.map((stream) => ({
      stream,
      file: join(hls, `${stream}.ts`),
      m3u8_url: `live/${stream}.m3u8`,
    }));
    for (const { file } of events) await writeFile(file, 'x');
    const seen: string[] = [];
    platform.modules.streams.segments.subscribe(async ({ stream }) => void seen.push(stream));
    const receipt = { status: 200, body: { code: 0, data: { segmentsPerCall: maxSegmentsPerCall } } };
    expect(await hook(events[0]!)).toMatchObject({ status: 200, body: { code: 0, data: null } });
    expect(await hook({ ...events[0], asks_many: true })).toMatchObject(receipt);
    expect(await hookMany(...events)).toMatchObject(receipt);
    expect(seen.toSorted()).toEqual(['a', 'a', 'a', 'b']);
    expect(await hookMany({ file: '/etc/passwd' }, events[1]!)).toMatchObject({ status: 400, body: { code: 4000 } });
    expect(seen).toHaveLength(5);
    expect((await hookMany()).status).toBe(400);
    expect((await hookMany(...Array.from({ length: maxSegmentsPerCall + 1 }, () => events[0]!))).status).toBe(400);
    expect((await platform.call('hlsSegments', { segments: [] }, {})).status).toBe(403);
  });

  it('must be in the HLS folder', async () => {
    const hls = join(platform.dataDir, 'hls');
    await mkdir(hls);
    await writeFile(join(platform.dataDir, 'secret.ts'), 'x');
    await symlink(join(platform.dataDir, 'secret.ts'), join(hls, 'link.ts'));
    for (const file of [
      join(hls, '../secret.ts'),
      '/etc/passwd',
      join(hls, 'link.ts'),
      join(hls, 'none.ts'),
      hls,
      '',
      'a\u0000b',
    ]) {
      expect(await hook({ file }), file).toMatchObject({ status: 400, body: { code: 4000 } });
    }
    expect((await hook({ action: 'on_publish', file: 'x' })).status).toBe(400);
  });
});

describe('the proxied API', () => {
  it('forwards authenticated calls without the token and other headers', async () => {
    platform = await platform.reopen({ MGMT_PASSWORD: 'correct' });
    const { token } = (await platform.call('login', { password: 'correct' }, {})).body.data;
    const response = await platform.app.inject({
      url: `/api/v1/summaries?a=1&token=${token}&b=2`,
      headers: { 'x-forwarded-for': '198.51.100.4' },
    });
    expect(response.json()).toMatchObject({
      code: 0,
      data: { ok: true, path: '/api/v1/summaries?a=1&b=2', xff: '198.51.100.4' },
    });
    expect(response.headers.server).toMatch(/^srs-stack/);
    for (const name of ['access-control-allow-origin', fileHandoverHeader]) {
      expect(response.headers).not.toHaveProperty(name);
    }
    const bearer = await platform.callPath('/api/v1/clients/x', '{"ignored":1}', {
      authorization: `Bearer ${testBearer}`,
    });
    expect(bearer.body.code).toBe(2049);
  });

  it('follows the media server to its new port after a restart', async () => {
    const ask = () => platform.callPath('/api/v1/summaries');
    expect((await ask()).status).toBe(200);
    await platform.mediaServer.close();
    expect(await ask()).toMatchObject({ status: 502, body: { code: 4100, data: { name: 'mediaServerUnreachable' } } });
    const next = await startMediaServerDouble();
    const bound: BoundPorts = { pid: 1, http: 2022, https: 2443, rtmp: 1935, srt: null, rtc: null, srsApi: 0 };
    await writeFile(join(platform.dataDir, 'run', 'ports.json'), JSON.stringify({ ...bound, srsApi: next.port }));
    await ask();
    expect((await ask()).status).toBe(200);
    await next.close();
  });
});
