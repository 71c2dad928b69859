// Monitoring calls and /metrics of a whole control plane, against a media server double.
import { endpoints, type MonitorEvent, metricsPath } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MediaServerDouble, srsStream, startMediaServerDouble } from '../src/testing/media-server-double.ts';
import { parsePrometheusText } from '../src/testing/prometheus-parser.ts';
import { openTestPlatform, type TestPlatform, testBearer, testCallbackSecret } from '../src/testing/test-platform.ts';

const metricsToken = 'only-for-prometheus';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform({ METRICS_TOKEN: metricsToken, AUTO_SELF_SIGNED_CERTIFICATE: 'off' });
  platform.mediaServer.summaries = {
    self: { pid: 7, mem_kbyte: 1_000, cpu_percent: 0.25 },
    system: { srs_recv_bytes: 1_000, srs_send_bytes: 5_000, conn_srs: 3 },
  };
});
afterEach(() => platform.dispose());

const callback = { 'x-callback-secret': testCallbackSecret };
const streamEvent = (action: string, stream: string, param = '') => ({
  action,
  server_id: 'vid-1',
  client_id: `client-${stream}`,
  ip: '203.0.113.9',
  vhost: '__defaultVhost__',
  app: 'live',
  stream,
  param,
});
const publishSecret = async () => (await platform.call('queryPublishSecret')).body.data.publish as string;
const kinds = async () => {
  const { body } = await platform.call('queryMonitor');
  return (body.data.events as MonitorEvent[]).map(({ kind, subject, detail }) =>
    [kind, subject, detail].join(' ').trim(),
  );
};
/** Waits for a snapshot that satisfies `isWanted`. A call collects new metrics if the current metrics are older than a second. */
const laterSnapshot = async (isWanted: (snapshot: { [name: string]: unknown }) => boolean) =>
  vi.waitFor(
    async () => {
      const { body } = await platform.call('queryMonitor');
      if (!isWanted(body.data.snapshot)) throw new Error(`not yet: ${JSON.stringify(body.data.snapshot)}`);
      return body.data.snapshot;
    },
    { timeout: 20_000, interval: 100 },
  );

describe('current metrics', () => {
  it('contain streams, viewers by protocol, machine, disk and certificate', async () => {
    platform.mediaServer.streams = [srsStream('a', 'c1', { clients: 3 }), srsStream('b', 'c2')];
    platform.mediaServer.clients = [
      { id: 'c1', stream: 'vid-a', type: 'fmle-publish', publish: true, ip: '' },
      { id: 'c3', stream: 'vid-a', type: 'flv-play', publish: false, ip: '' },
      { id: 'c4', stream: 'vid-a', type: 'hls-play', publish: false, ip: '' },
    ];
    const { status, body } = await platform.call('queryMonitor');
    expect(status).toBe(200);
    const { snapshot } = body.data;
    expect(snapshot).toMatchObject({ engine: 'up', streams: 2, viewers: 2, viewersByProtocol: { flv: 1, hls: 1 } });
    expect(snapshot).toMatchObject({ certificate: null, workers: [], alarms: [] });
    expect(snapshot.cpu).toMatchObject({ gatewayCores: 0.25 });
    expect(snapshot.memory.gatewayBytes).toBe(1_024_000);
    expect(snapshot.memory.totalBytes).toBeGreaterThan(snapshot.memory.usedBytes);
    expect(snapshot.disk.totalBytes).toBeGreaterThan(0);
  });

  it('measure bandwidth between two samples, and ignore the counter reset of a restarted media server', async () => {
    await platform.call('queryMonitor');
    platform.mediaServer.summaries = {
      ...platform.mediaServer.summaries,
      system: { srs_recv_bytes: 1_001_000, srs_send_bytes: 9_005_000 },
    };
    const snapshot = await laterSnapshot(({ receivedBps }) => Number(receivedBps) > 0);
    expect(Number(snapshot.sentBps) / Number(snapshot.receivedBps)).toBeCloseTo(9, 3);
    platform.mediaServer.summaries = {
      self: { pid: 8 },
      system: { srs_recv_bytes: 9e9, srs_send_bytes: 9e9 },
    };
    await laterSnapshot(({ receivedBps }) => receivedBps === 0);
  });

  it('report that the engine is down, with an alarm and events, and that it is back', async () => {
    await platform.call('queryMonitor');
    platform.mediaServer.isAway = true;
    const away = await laterSnapshot(({ engine }) => engine === 'away');
    expect(away).toMatchObject({ streams: 0, alarms: [{ code: 'engine-away', severity: 'error' }] });
    platform.mediaServer.isAway = false;
    await laterSnapshot(({ engine }) => engine === 'up');
    expect(await kinds()).toEqual(['engine-back', 'engine-away']);
  });

  it('count internal errors of the engine, report new ones as events, and restart with a new engine', async () => {
    const engine = (pid: number, faults: number, lastFault: string) => {
      const window = { endMs: 1, delayP99Ms: 4, delayP999Ms: 5, delayMaxMs: 250, gcMs: 30, gcMaxMs: 20 };
      const loop = { windows: [window, { ...window, delayMaxMs: 10, delayP99Ms: 8 }], gcCount: 9, gcMs: 1_500 };
      platform.mediaServer.summaries = { self: { pid, ext: { faults, lastFault, loop } }, system: {} };
    };
    engine(7, 2, 'before this control plane');
    await laterSnapshot(({ engineFaults }) => engineFaults === 2);
    engine(7, 3, 'session failed and was closed: planted');
    await laterSnapshot(({ engineFaults }) => engineFaults === 3);
    engine(8, 1, 'uncaught error: other');
    await laterSnapshot(({ engineFaults }) => engineFaults === 1);
    expect(await kinds()).toEqual([
      'engine-fault  uncaught error: other',
      'engine-fault  session failed and was closed: planted',
    ]);
    const metrics = await platform.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    expect(metrics.body).toContain('srs_stack_engine_faults_total 1');
    expect(metrics.body).toMatch(/srs_stack_event_loop_delay_seconds\{server="[^"]+",quantile="0.99"\} 0.008\n/);
    expect(metrics.body).toMatch(/srs_stack_event_loop_delay_seconds\{server="[^"]+",quantile="1"\} 0.25\n/);
    expect(metrics.body).toMatch(/srs_stack_gc_seconds_total\{server="[^"]+"\} 1.5\n/);
  });

  it('need a credential', async () => {
    for (const name of ['queryMonitor', 'queryMonitorHistory'] as const) {
      const { status, body } = await platform.call(name, {}, {});
      expect([status, body.data.name]).toEqual([401, 'tokenInvalid']);
      expect((await platform.call(name, {}, { authorization: `Bearer ${metricsToken}` })).status).toBe(401);
    }
  });
});

describe('events', () => {
  it('contain publish, refusal, end and changed settings, newest first, and survive a restart', async () => {
    const secret = await publishSecret();
    const { path } = endpoints.verifyStream;
    await platform.callPath(path, streamEvent('on_publish', 'lobby', `?secret=${secret}`), callback);
    await platform.callPath(path, streamEvent('on_publish', 'other', '?secret=wrong'), callback);
    await platform.callPath(path, streamEvent('on_publish', 'other', '?secret=wrong'), callback);
    await platform.callPath(path, streamEvent('on_unpublish', 'lobby'), callback);
    await platform.call('updateBeian', { beian: 'title', text: 'My server' });
    const reported = await kinds();
    expect(reported.slice(1)).toEqual([
      'unpublish live/lobby',
      'publish-refused live/other publishSecretWrong',
      'publish live/lobby',
    ]);
    expect(reported[0]).toMatch(/^setting-changed/);
    platform = await platform.reopen();
    expect(await kinds()).toEqual(reported);
    const { events } = (await platform.call('queryMonitor')).body.data;
    expect(events.map(({ id }: MonitorEvent) => id)).toEqual([4, 3, 2, 1]);
  });

  it('never contain the publish secret', async () => {
    const secret = await publishSecret();
    await platform.callPath(endpoints.verifyStream.path, streamEvent('on_publish', 'x', `?secret=${secret}`), callback);
    await platform.call('updatePublishSecret', { secret: 'another-secret-of-mine' });
    const text = JSON.stringify((await platform.call('queryMonitor')).body);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('another-secret-of-mine');
  });
});

describe('several media servers', () => {
  let other: MediaServerDouble;
  beforeEach(async () => {
    other = await startMediaServerDouble();
    other.summaries = {
      self: { pid: 8, mem_kbyte: 2_000, cpu_percent: 0.5, ext: { faults: 3, lastFault: 'old' } },
      system: { srs_recv_bytes: 10_000, srs_send_bytes: 50_000, conn_srs: 4 },
    };
    const servers = [platform.mediaServer.port, other.port].map((port) => `127.0.0.1:${port}`);
    platform = await platform.reopen({
      ...{ METRICS_TOKEN: metricsToken, AUTO_SELF_SIGNED_CERTIFICATE: 'off' },
      ...{ MEDIA_SERVER: 'srs', SRS_API_SERVER: servers.join(',') },
    });
  });
  afterEach(() => other.close());
  const nameOf = ({ port }: { port: number }) => `127.0.0.1:${port}`;

  it('are added up, and one that stops is reported by name while the others count', async () => {
    const both = await laterSnapshot(({ engine }) => engine === 'up');
    expect(both).toMatchObject({
      engineFaults: 3,
      cpu: { gatewayCores: 0.75 },
      mediaServers: [
        { name: nameOf(platform.mediaServer), isUp: true, cpuCores: 0.25, memoryBytes: 1_024_000, connections: 3 },
        { name: nameOf(other), isUp: true, cpuCores: 0.5, memoryBytes: 2_048_000, connections: 4 },
      ],
    });
    other.isAway = true;
    const partly = await laterSnapshot(({ alarms }) => (alarms as unknown[]).length > 0);
    expect(partly).toMatchObject({
      engine: 'up',
      cpu: { gatewayCores: 0.25 },
      alarms: [{ code: 'engine-away', severity: 'error', subject: nameOf(other) }],
    });
    other.isAway = false;
    // Bytes sent before the outage must not count as a current rate.
    const back = await laterSnapshot(({ alarms }) => (alarms as unknown[]).length === 0);
    expect(back).toMatchObject({ receivedBps: 0, sentBps: 0 });
    expect(await kinds()).toEqual([`engine-back ${nameOf(other)}`, `engine-away ${nameOf(other)}`]);
  });

  it('have metrics with their name', async () => {
    await platform.call('queryMonitor');
    const metrics = await platform.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    const lines = metrics.body.split('\n').filter((line) => line.includes(nameOf(other)));
    expect(lines).toEqual([
      `srs_stack_media_server_up{server="${nameOf(other)}"} 1`,
      `srs_stack_media_server_cpu_cores{server="${nameOf(other)}"} 0.5`,
      `srs_stack_media_server_resident_memory_bytes{server="${nameOf(other)}"} 2048000`,
      `srs_stack_media_server_connections{server="${nameOf(other)}"} 4`,
      `srs_stack_media_server_received_bytes_total{server="${nameOf(other)}"} 10000`,
      `srs_stack_media_server_sent_bytes_total{server="${nameOf(other)}"} 50000`,
    ]);
  });

  it('return configurations with the folder, the local callbacks without secrets, and both addresses', async () => {
    const { configurations } = (await platform.call('querySrsConfigs')).body.data;
    const roles = configurations.map(({ role, server }: { role: string; server: string }) => [role, server]);
    expect(roles).toEqual([
      ['single', nameOf(platform.mediaServer)],
      ['origin', nameOf(platform.mediaServer)],
      ['edge', nameOf(other)],
    ]);
    for (const { text } of configurations) {
      expect(text).toContain(`dir ${platform.dataDir}/hls;`);
      expect(text).toContain('http://127.0.0.1:2022/terraform/v1/hooks/srs/verify;');
    }
  });
});

describe('history', () => {
  it('has annotated samples in every range, also after a restart', async () => {
    platform.mediaServer.streams = [srsStream('a', 'c1')];
    await platform.call('queryMonitor');
    await platform.call('updateBeian', { beian: 'title', text: 'My server' });
    for (const range of ['5m', '1h', '24h', '7d']) {
      const { status, body } = await platform.call('queryMonitorHistory', { range });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ range, mean: { streams: [1] }, peak: { streams: [1] } });
      expect(body.data.events.map(({ kind }: MonitorEvent) => kind)).toEqual(['setting-changed']);
    }
    platform = await platform.reopen();
    expect((await platform.call('queryMonitorHistory', {})).body.data.mean.streams).toEqual([1]);
  });

  it('refuses any other range', async () => {
    const { status, body } = await platform.call('queryMonitorHistory', { range: '1y' });
    expect([status, body.data.name]).toEqual([400, 'invalidRequest']);
  });
});

describe('/metrics', () => {
  const scrape = (headers: Record<string, string> = { authorization: `Bearer ${metricsToken}` }, url = metricsPath) =>
    platform.app.inject({ method: 'GET', url, headers });

  it('needs its own token or the API secret', async () => {
    expect((await scrape()).statusCode).toBe(200);
    expect((await scrape({ authorization: `Bearer ${testBearer}` })).statusCode).toBe(200);
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic eDp5' },
      { authorization: 'Bearer ' },
    ]) {
      const { statusCode, headers: responded } = await scrape(headers);
      expect([statusCode, responded['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    expect((await scrape({}, `${metricsPath}?token=${metricsToken}`)).statusCode).toBe(401);
  });

  it('has no token of its own until one is set', async () => {
    platform = await platform.reopen({});
    expect((await scrape({ authorization: 'Bearer ' })).statusCode).toBe(401);
    expect((await scrape({ authorization: `Bearer ${metricsToken}` })).statusCode).toBe(401);
  });

  it('is text that Prometheus can parse, with the metrics of server and streams', async () => {
    platform.mediaServer.streams = [srsStream('lob"by', 'c1', { clients: 4 })];
    platform.mediaServer.clients = [{ id: 'c2', stream: 'vid-lob"by', type: 'flv-play', publish: false, ip: '' }];
    const { body, headers } = await scrape();
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = parsePrometheusText(body);
    const value = (name: string, labels: object = {}) =>
      families.get(name)?.samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value;
    expect(value('srs_stack_engine_up')).toBe(1);
    expect(value('srs_stack_streams')).toBe(1);
    expect(value('srs_stack_viewers', { protocol: 'flv' })).toBe(1);
    expect(value('srs_stack_stream_viewers', { app: 'live', stream: 'lob"by' })).toBe(3);
    expect(value('srs_stack_stream_received_bytes_total', { app: 'live', stream: 'lob"by' })).toBe(2_000);
    expect(value('srs_stack_sent_bytes_total')).toBe(5_000);
    expect(value('srs_stack_process_cpu_cores', { process: 'gateway' })).toBe(0.25);
    expect(value('srs_stack_alarms', { code: 'engine-away' })).toBe(0);
    for (const [name, { help, samples }] of families) {
      expect(help, name).not.toBe('');
      expect(samples.length, name).toBeGreaterThan(0);
    }
  });

  it('contains the streams that show their slate, how often and for how long, and an alarm for each', async () => {
    const ext = { protocol: 'rtmp', ip: '', hasMedia: true, fps: 25, keyframeIntervalMs: 2_000 };
    platform.mediaServer.summaries = { self: { pid: 7, ext: { faults: 0, slates: { shown: 3, shownMs: 90_500 } } } };
    platform.mediaServer.streams = [
      srsStream('a', 'c1', { ext: { ...ext, slateForMs: 12_500 } }),
      srsStream('b', 'c2', { ext }),
    ];
    const families = parsePrometheusText((await scrape()).body);
    const samples = (name: string) => families.get(name)?.samples.map(({ labels, value }) => ({ labels, value }));
    expect(samples('srs_stack_slates_on_air')).toEqual([{ labels: {}, value: 1 }]);
    expect(samples('srs_stack_slates_shown_total')).toEqual([{ labels: {}, value: 3 }]);
    expect(samples('srs_stack_slate_seconds_total')).toEqual([{ labels: {}, value: 90.5 }]);
    expect(samples('srs_stack_stream_slate_seconds')).toEqual([{ labels: { app: 'live', stream: 'a' }, value: 12.5 }]);
    const { snapshot } = (await platform.call('queryMonitor')).body.data;
    expect(snapshot.alarms).toEqual([
      { code: 'slate-on-air', severity: 'warning', subject: 'live/a', value: 13, reason: 'none' },
    ]);
    const { streams } = (await platform.call('queryLive')).body.data;
    expect(streams.map(({ slateForMs }: { slateForMs?: number }) => slateForMs)).toEqual([12_500, undefined]);
  });

  it('has labels for a hundred streams and counts the others', async () => {
    platform.mediaServer.streams = Array.from({ length: 130 }, (_, index) => srsStream(`s${index}`, `c${index}`));
    const families = parsePrometheusText((await scrape()).body);
    expect(families.get('srs_stack_stream_viewers')?.samples).toHaveLength(100);
    expect(families.get('srs_stack_streams_without_metrics')?.samples[0]?.value).toBe(30);
    expect(families.get('srs_stack_streams')?.samples[0]?.value).toBe(130);
  });

  it('omits unknown values while the engine is down', async () => {
    platform.mediaServer.isAway = true;
    const families = parsePrometheusText((await scrape()).body);
    expect(families.get('srs_stack_engine_up')?.samples[0]?.value).toBe(0);
    for (const name of ['srs_stack_streams', 'srs_stack_viewers', 'srs_stack_sent_bytes_total']) {
      expect(families.has(name), name).toBe(false);
    }
    expect(families.has('srs_stack_disk_free_bytes')).toBe(true);
  });
});
