// Publish authentication, the table of active streams, kick and the live view, with a media server over HTTP.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultVhost } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { syncActiveStreams } from '../src/streams/active-stream-sync.ts';
import { reportGraceMs } from '../src/streams/active-streams.ts';
import { clientsCacheMs, liveCacheMs } from '../src/streams/live-view.ts';
import { srsStream, startMediaServerDouble } from '../src/testing/media-server-double.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
let secret: string;
beforeEach(async () => {
  platform = await openTestPlatform();
  secret = (await platform.call('queryPublishSecret')).body.data.publish;
});
afterEach(() => platform.dispose());

const callback = { 'x-callback-secret': testCallbackSecret };
const event = (action: string, fields: object = {}) =>
  platform.call(
    'verifyStream',
    {
      action,
      vhost: defaultVhost,
      app: 'live',
      stream: 'a',
      client_id: 'c1',
      server_id: 's1',
      param: `?secret=${secret}`,
      ip: '10.0.0.1',
      tcUrl: 'rtmp://x/live',
      ...fields,
    },
    callback,
  );
const rows = async () =>
  (await platform.call('queryStreams')).body.data.streams as { stream: string; client_id: string; param?: string }[];
const later = (ms: number) => {
  platform.clock.nowMs += ms;
};
const sync = async () => {
  const { SrsHttpApi } = await import('../src/media-server/srs-http-api.ts');
  const mediaServer = new SrsHttpApi({
    name: 'double',
    current: async () => ({ host: '127.0.0.1', port: platform.mediaServer.port }),
    forget() {},
  });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  await syncActiveStreams({
    activeStreams: platform.modules.streams.active,
    mediaServer: { listOrigins: () => mediaServer.listStreams() },
    log,
    now: () => new Date(platform.clock.nowMs),
  });
  mediaServer.close();
};

describe('publish authentication', () => {
  it('has a generated secret of 32 hex digits that survives a restart', async () => {
    expect(secret).toMatch(/^[0-9a-f]{32}$/);
    platform = await platform.reopen();
    expect((await platform.callPath('/terraform/v1/hooks/srs/secret')).body.data).toMatchObject({
      publish: secret,
      pubNoAuth: false,
    });
  });

  it('admits a publisher with the secret and refuses others with 403', async () => {
    expect(await event('on_publish')).toMatchObject({ status: 200, body: { code: 0, data: null } });
    const refused = await event('on_publish', { stream: 'b', param: '' });
    expect(refused).toMatchObject({ status: 403, body: { code: 4020, data: { name: 'publishSecretWrong' } } });
    expect(JSON.stringify(refused.body)).not.toContain(secret);
    expect((await rows()).map((row) => row.stream)).toEqual(['a']);
  });

  it('refuses invalid names with 403', async () => {
    for (const stream of ['../x', 'a/b', '.a', '', 'a b', 'x'.repeat(129), 'a\u0000']) {
      expect(await event('on_publish', { stream }), stream).toMatchObject({
        status: 403,
        body: { data: { name: 'streamNameInvalid' } },
      });
    }
    expect((await event('on_publish', { app: '../live' })).status).toBe(403);
  });

  it('applies a new secret immediately', async () => {
    expect(await platform.call('updatePublishSecret', { secret: '' })).toMatchObject({ status: 400 });
    expect(await platform.call('updatePublishSecret', {})).toMatchObject({ status: 400 });
    expect((await platform.call('updatePublishSecret', { secret: 'new one' })).status).toBe(200);
    expect((await event('on_publish')).status).toBe(403);
    expect((await event('on_publish', { param: '?secret=new%20one' })).status).toBe(200);
    expect((await platform.call('queryPublishSecret')).body.data.publish).toBe('new one');
  });

  it('when switched off, admits everyone and still tracks streams', async () => {
    expect((await platform.call('disablePublishSecret', { pubNoAuth: true })).status).toBe(200);
    expect((await event('on_publish', { param: '' })).status).toBe(200);
    expect(await rows()).toHaveLength(1);
    expect((await platform.call('queryPublishSecret')).body.data.pubNoAuth).toBe(true);
    expect((await platform.call('disablePublishSecret', {})).status).toBe(200);
    expect((await event('on_publish', { param: '' })).status).toBe(403);
    expect(await platform.call('disablePublishSecret', { pubNoAuth: 'yes' })).toMatchObject({ status: 400 });
  });

  it('does not require it of players, counts them, and refuses unknown actions', async () => {
    expect((await event('on_play', { param: '' })).status).toBe(200);
    expect((await event('on_stop', { param: '' })).status).toBe(200);
    expect((await event('on_publish')).status).toBe(200);
    expect(platform.modules.streams.counters.current()).toEqual({ publish: 1, play: 1 });
    platform = await platform.reopen();
    expect(platform.modules.streams.counters.current()).toEqual({ publish: 1, play: 1 });
    expect((await event('on_everything')).status).toBe(400);
    // The gateway has already authorized these viewers, and reports them afterwards.
    expect((await event('on_play', { param: '', plays: 40 })).status).toBe(200);
    expect(platform.modules.streams.counters.current()).toEqual({ publish: 1, play: 41 });
    for (const plays of [0, 1.5, -1, 100_001, 'many']) expect((await event('on_play', { plays })).status).toBe(400);
  });
});

describe('the table of active streams', () => {
  it('lists published streams, newest first, without empty fields', async () => {
    await event('on_publish');
    later(1_000);
    await event('on_publish', { stream: 'b', vhost: 'other', client_id: 'c2', server_id: '' });
    expect(await rows()).toEqual([
      {
        vhost: 'other',
        app: 'live',
        stream: 'b',
        param: `?secret=${secret}`,
        client_id: 'c2',
        update: '2026-01-02T03:04:06.000Z',
      },
      {
        vhost: defaultVhost,
        app: 'live',
        stream: 'a',
        param: `?secret=${secret}`,
        client_id: 'c1',
        server_id: 's1',
        update: '2026-01-02T03:04:05.000Z',
      },
    ]);
    await event('on_unpublish');
    expect((await rows()).map((row) => row.stream)).toEqual(['b']);
  });

  it('keeps the live publisher when a refused second one disconnects', async () => {
    await event('on_publish');
    await event('on_publish', { client_id: 'second' });
    await event('on_unpublish', { client_id: 'second' });
    expect((await rows())[0]?.client_id).toBe('c1');
    await event('on_unpublish', { client_id: 'stranger' });
    expect(await rows()).toHaveLength(1);
    await event('on_unpublish');
    expect(await rows()).toEqual([]);
  });

  it('keeps the new publisher after a takeover', async () => {
    await event('on_publish');
    await event('on_publish', { client_id: 'second' });
    await event('on_unpublish');
    expect((await rows())[0]?.client_id).toBe('second');
    await event('on_unpublish', { client_id: 'second' });
    expect(await rows()).toEqual([]);
  });

  it('is corrected by the media server: streams that ended, started or changed publishers meanwhile', async () => {
    await event('on_publish', { stream: 'gone' });
    await event('on_publish', { stream: 'changed' });
    platform = await platform.reopen();
    later(reportGraceMs + 1);
    platform.mediaServer.streams = [
      srsStream('came', 'c8'),
      srsStream('changed', 'c9'),
      srsStream('idle', 'c7', { publish: { active: false } }),
    ];
    await sync();
    const table = Object.fromEntries((await rows()).map((row) => [row.stream, row.client_id]));
    expect(table).toEqual({ came: 'c8', changed: 'c9' });
  });

  it('is corrected in the background at start, and again after an outage of the media server', async () => {
    platform.mediaServer.streams = [srsStream('first', 'c1')];
    platform.start();
    await vi.waitFor(async () => expect((await rows()).map((row) => row.stream)).toEqual(['first']), {
      timeout: 5_000,
    });
    const { port } = platform.mediaServer;
    await platform.mediaServer.close();
    later(reportGraceMs + 1);
    const returned = await startMediaServerDouble(port);
    returned.streams = [srsStream('second', 'c2')];
    await vi.waitFor(async () => expect((await rows()).map((row) => row.stream)).toEqual(['second']), {
      timeout: 15_000,
    });
    await returned.close();
  });

  it('is not corrected by a report older than the last callback', async () => {
    await event('on_publish');
    await sync();
    expect(await rows()).toHaveLength(1);
    platform.mediaServer.streams = [srsStream('a', 'c1')];
    await event('on_unpublish');
    await sync();
    expect(await rows()).toEqual([]);
    later(reportGraceMs + 1);
    await sync();
    expect(await rows()).toHaveLength(1);
  });
});

describe('kick-off', () => {
  const key = { vhost: defaultVhost, app: 'live', stream: 'a' };

  it('disconnects the publisher and removes the stream from the table', async () => {
    platform.mediaServer.clients = [{ id: 'c1' }];
    await event('on_publish');
    const [row] = await rows();
    expect((await platform.call('kickStream', { ...row })).status).toBe(200);
    expect(platform.mediaServer.clients).toEqual([]);
    expect(platform.mediaServer.requests).toEqual(['GET /api/v1/clients/c1', 'DELETE /api/v1/clients/c1']);
    expect(await rows()).toEqual([]);
    expect((await platform.call('queryAudit')).body.data.entries[0]).toMatchObject({
      action: 'stream-kicked',
      detail: 'live/a',
    });
  });

  it('treats a disconnected client as kicked, and refuses unknown streams and missing fields', async () => {
    await event('on_publish');
    expect((await platform.call('kickStream', key)).status).toBe(200);
    expect(await platform.call('kickStream', key)).toMatchObject({ status: 404, body: { code: 4023 } });
    expect((await platform.call('kickStream', { ...key, vhost: '' })).status).toBe(400);
    expect((await platform.call('kickStream', {})).status).toBe(400);
  });

  it('fails and keeps the row while the media server is down', async () => {
    await event('on_publish');
    await platform.mediaServer.close();
    expect(await platform.call('kickStream', key)).toMatchObject({ status: 502, body: { code: 4100 } });
    expect(await rows()).toHaveLength(1);
  });
});

describe('the live view', () => {
  const ext = {
    protocol: 'rtmp',
    ip: '10.0.0.9',
    hasMedia: true,
    fps: 25,
    keyframeIntervalMs: 2_000,
    bitrateHistoryKbps: [100, 900],
    timestampRepairs: 0,
    publishedForMs: 5_000,
  };
  const live = async (filter: object = {}) => (await platform.call('queryLive', filter)).body.data;

  it('merges streams, measurements, viewers and refusals of the built-in engine', async () => {
    platform.mediaServer.streams = [srsStream('a', 'c1', { clients: 4, ext }), srsStream('b', 'c2', { ext })];
    platform.mediaServer.clients = ['flv-play', 'flv-play', 'hls-play', 'fmle-publish'].map((type, index) => ({
      id: `v${index}`,
      stream: 'vid-a',
      ip: '10.0.0.2',
      type,
      publish: type.endsWith('publish'),
    }));
    platform.mediaServer.refusals = [
      {
        at: '2026-01-02T03:04:04Z',
        protocol: 'rtmp',
        action: 'publish',
        ip: '10.0.0.3',
        app: 'live',
        stream: 'a',
        reason: 'publish-secret-wrong',
        detail: 'no',
      },
      {
        at: '2026-01-02T03:04:03Z',
        protocol: 'rtmp',
        action: 'publish',
        ip: '10.0.0.3',
        app: 'live',
        stream: 'z',
        reason: 'of-tomorrow',
        detail: 'no',
      },
    ];
    const all = await live();
    expect(all.mediaServer).toBe(true);
    expect(all.streams[0]).toEqual({
      id: 'vid-a',
      vhost: defaultVhost,
      app: 'live',
      stream: 'a',
      publisherProtocol: 'rtmp',
      publisherIp: '10.0.0.9',
      publisherClientId: 'c1',
      hasMedia: true,
      uptimeMs: 5_000,
      video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720 },
      audio: { codec: 'AAC', sampleRate: 44_100, channels: 2, profile: 'LC' },
      fps: 25,
      keyframeIntervalMs: 2_000,
      bitrateKbps: 900,
      bitrateHistoryKbps: [100, 900],
      viewers: 3,
      viewersByProtocol: { flv: 2, hls: 1 },
      receivedBytes: 2_000,
      sentBytes: 1_000,
    });
    expect(all.refusals.map((each: { reason: string }) => each.reason)).toEqual([
      'publish-secret-wrong',
      'protocol-error',
    ]);
    const one = await live({ app: 'live', stream: 'a' });
    expect([one.streams.length, one.refusals.length]).toEqual([1, 1]);
  });

  it('merges the gateways of the node, whose copies are marked', async () => {
    const other = await startMediaServerDouble();
    const ports = { pid: process.pid, http: 1, https: 2, rtmp: 3, srt: null, rtc: null };
    await mkdir(join(platform.dataDir, 'run'), { recursive: true });
    for (const [file, srsApi] of [
      ['ports.json', platform.mediaServer.port],
      ['ports-1.json', other.port],
    ] as const) {
      await writeFile(join(platform.dataDir, 'run', file), JSON.stringify({ ...ports, srsApi }));
    }
    const extOf = (protocol: string, viewersByProtocol: object) => ({ ext: { ...ext, protocol, viewersByProtocol } });
    const name = { name: 'a', url: '/live/a' };
    platform.mediaServer.streams = [srsStream('copy', 'x', { ...name, clients: 3, ...extOf('copy', { flv: 2 }) })];
    other.streams = [srsStream('origin', 'pub', { ...name, clients: 3, ...extOf('rtmp', { rtc: 1, copy: 1 }) })];
    other.clients = [
      { id: 'pub', stream: 'vid-origin', type: 'fmle-publish', publish: true },
      { id: 'v', stream: 'vid-origin', type: 'rtc-play' },
      { id: 'x2', stream: 'vid-origin', type: 'copy-play' },
    ];
    platform.mediaServer.clients = ['f1', 'f2'].map((id) => ({ id, stream: 'vid-copy', type: 'flv-play' }));
    const [row, ...more] = (await live()).streams;
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      id: 'vid-origin',
      publisherProtocol: 'rtmp',
      publisherClientId: 'pub',
      viewers: 3,
      viewersByProtocol: { rtc: 1, flv: 2 },
    });
    const { clients } = (await platform.call('queryLiveClients', { streamId: 'vid-origin' })).body.data;
    expect(clients.map(({ id }: { id: string }) => id).sort()).toEqual(['f1', 'f2', 'pub', 'v']);
    expect((await platform.call('kickLiveClient', { id: 'f2' })).status).toBe(200);
    expect(platform.mediaServer.clients.map(({ id }) => id)).toEqual(['f1']);
    await other.close();
  });

  it("contains the metrics of the publisher's connection, without unreadable ones", async () => {
    const publisherDetail = { rttMs: 12.5, lostPackets: 3 };
    platform.mediaServer.streams = [
      srsStream('a', 'c1', { ext: { ...ext, publisherDetail } }),
      srsStream('b', 'c2', { ext: { ...ext, publisherDetail: 'nonsense' } }),
    ];
    const { streams } = await live();
    expect(streams[0].publisherDetail).toEqual(publisherDetail);
    expect(streams[1]).not.toHaveProperty('publisherDetail');
    expect(streams[1].fps).toBe(25);
  });

  it('queries once a second, whatever the number of consoles', async () => {
    platform.mediaServer.streams = [srsStream('a', 'c1', { ext })];
    await Promise.all(Array.from({ length: 20 }, () => live()));
    expect(platform.mediaServer.requests).toHaveLength(2);
    later(liveCacheMs);
    await live();
    expect(platform.mediaServer.requests).toHaveLength(4);
  });

  it('queries the long list of clients less often than the streams', async () => {
    platform.mediaServer.streams = [srsStream('a', 'c1', { clients: 3, ext })];
    for (let elapsedMs = 0; elapsedMs <= clientsCacheMs; elapsedMs += liveCacheMs) {
      await live();
      later(liveCacheMs);
    }
    const count = (path: string) => platform.mediaServer.requests.filter((each) => each.includes(path)).length;
    expect([count('/streams/'), count('/clients/')]).toEqual([6, 2]);
  });

  it('works with a real SRS, which has no measurements and no refusals', async () => {
    platform.mediaServer.streams = [srsStream('a', 'c1', { clients: 2, audio: null })];
    platform.mediaServer.clients = [
      { id: 'c1', stream: 'vid-a', ip: '10.0.0.5', type: 'haivision-publish', publish: true },
      { id: 'v1', stream: 'vid-a', ip: '10.0.0.6', type: 'rtc-play', publish: false },
    ];
    const { streams, refusals } = await live();
    expect(refusals).toEqual([]);
    expect(streams[0]).toMatchObject({
      publisherIp: '10.0.0.5',
      publisherProtocol: 'rtmp',
      hasMedia: true,
      bitrateKbps: 500,
      viewers: 1,
      viewersByProtocol: { rtc: 1 },
      audio: null,
    });
  });

  it('reports that the media server is down', async () => {
    await platform.mediaServer.close();
    expect(await live()).toEqual({ mediaServer: false, streams: [], refusals: [] });
  });
});
