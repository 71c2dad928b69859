// JSON that this process writes for the control plane is valid by the schemas of the contract, and no field is lost.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BoundPorts, boundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { hlsSegmentEvent, streamEvent } from '@srs-stack/contract/wire/callback-bodies.ts';
import { type FrontSettings, frontSettings } from '@srs-stack/contract/wire/front-settings.ts';
import {
  readSrsClientRow,
  readSrsRefusalRow,
  readSrsStreamRow,
  readSrsSummaryRow,
  readSrsVhostRow,
} from '@srs-stack/contract/wire/srs-rows.ts';
import { aacTrack, h264Track } from '@srs-stack/media/testing/media.ts';
import { expect, onTestFinished, test } from 'vitest';
import { segmentBody, sessionBody } from '../src/callbacks/callback-body.ts';
import { toClientObject, toRefusalObject, toStreamObject, toVhostObjects } from '../src/control/srs-objects.ts';
import { toSummaries } from '../src/control/summaries.ts';
import { createSystemSampler } from '../src/control/system-sampler.ts';
import { writePorts } from '../src/data-folder.ts';
import { parseFrontSettings } from '../src/front-settings.ts';
import { defaultHlsConfig } from '../src/srs-config/hls-config.ts';
import { FakeEngine, publisherOf, streamOf } from './fake-engine.ts';

const overTheWire = (value: object): unknown => JSON.parse(JSON.stringify(value));

const details = { publisher: publisherOf('a'), publisherDetail: { rttMs: 3, cipher: 'none' }, slowViewers: 1 };

test.each([
  ['nobody publishes', streamOf('a', { publisher: undefined })],
  ['a publisher without media', streamOf('a', { ...details, hasMedia: false })],
  [
    'a publisher with video and audio',
    streamOf('a', { ...details, hasMedia: true, video: h264Track, audio: aacTrack }),
  ],
])('the row of a stream: %s', (_, stream) => {
  const row = toStreamObject(stream, 1_700_000_000_000);
  expect(readSrsStreamRow(overTheWire(row))).toEqual(overTheWire(row));
});

test.each([{}, { rttMs: 12, lost: 'none' }])('the row of a client with the metrics %j', (detail) => {
  const row = toClientObject({
    session: { ...publisherOf('a'), userAgent: 'OBS' },
    streamId: 'vid-1234567',
    publish: true,
    aliveMs: 1_500,
    receivedBytes: 1,
    sentBytes: 2,
    kbps: { received30s: 3, sent30s: 4 },
    droppedFrames: 5,
    queuedBytes: 6,
    detail,
  });
  expect(readSrsClientRow(overTheWire(row))).toEqual(overTheWire(row));
});

test('the row of a refusal', () => {
  for (const refusal of new FakeEngine().refusals()) {
    const row = toRefusalObject(refusal);
    expect(readSrsRefusalRow(overTheWire(row))).toEqual(overTheWire(row));
  }
});

test('the row of a virtual host', () => {
  const hls = defaultHlsConfig('/srv/hls');
  for (const enabled of [true, false]) {
    const [row] = toVhostObjects([streamOf('a', {})], { ...hls, enabled }, '__defaultVhost__');
    expect(readSrsVhostRow(overTheWire(row!))).toEqual(row);
  }
});

test('the metrics of the server', () => {
  const delays = { delayP99Ms: 1, delayP999Ms: 2, delayMaxMs: 3.5 };
  const loop = { windows: [{ endMs: 1_000, ...delays, gcMs: 4, gcMaxMs: 2 }], gcCount: 3, gcMs: 9 };
  const written = toSummaries({
    version: '5.0.213',
    startedAtMs: 0,
    sample: createSystemSampler()(),
    totals: { receivedBytes: 10, sentBytes: 20, connections: 3 },
    slates: { shown: 4, shownMs: 61_500 },
    faults: { count: 2, last: 'x: y' },
    loop,
  });
  const read = readSrsSummaryRow(overTheWire(written));
  expect(written).toMatchObject(read);
  expect(read.self).toMatchObject({
    pid: process.pid,
    ext: { faults: 2, lastFault: 'x: y', loop, slates: { shown: 4, shownMs: 61_500 } },
  });
  expect(read.system).toMatchObject({ srs_recv_bytes: 10, srs_send_bytes: 20, conn_srs: 3 });
});

test.each(['on_publish', 'on_unpublish', 'on_play', 'on_stop'] as const)('the body of %s', (action) => {
  const body = sessionBody({ serverId: 'vid-a', serviceId: 's' }, action, publisherOf('a', '?secret=x'));
  expect(streamEvent.parse(overTheWire(body))).toEqual(body);
});

test('the body of on_hls', () => {
  const body = segmentBody({ serverId: 'vid-a', serviceId: 's' }, '/srv', {
    ...publisherOf('a'),
    file: '/srv/hls/live/a-0.ts',
    durationSeconds: 2.04,
    url: 'live/a-0.ts',
    m3u8: '/srv/hls/live/a.m3u8',
    m3u8Url: 'live/a.m3u8',
    sequenceNumber: 7,
  });
  expect(hlsSegmentEvent.parse(overTheWire(body))).toEqual(body);
});

test.each<BoundPorts>([
  { pid: 7, http: 2022, https: 2443, rtmp: 1935, srt: 10_080, rtc: 8000, srsApi: 1985 },
  { pid: 7, http: 1, https: 2, rtmp: 3, srt: null, rtc: null, srsApi: 4 },
])('the ports file %j', async (ports) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ports-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await mkdir(join(dataDir, 'run'));
  await writePorts({ dataDir, gateways: { count: 1, index: 0 } }, ports);
  expect(boundPorts.parse(JSON.parse(await readFile(join(dataDir, 'run/ports.json'), 'utf8')))).toEqual(ports);
});

test('front settings as the control plane writes them', () => {
  const stored: FrontSettings = {
    home: '/tools/',
    locations: [
      { location: '/blog', backend: 'http://127.0.0.1:8080' },
      { location: '/blog/admin/', backend: 'https://10.0.0.1/x' },
    ],
    off: ['srt'],
    initialised: true,
  };
  const read = parseFrontSettings(JSON.stringify(frontSettings.parse(stored)));
  expect(read).toMatchObject({ home: '/tools/', initialised: true, off: new Set(['srt']) });
  expect(read.locations.map(({ path, backend }) => [path, backend.href])).toEqual([
    ['/blog/admin', 'https://10.0.0.1/x'],
    ['/blog', 'http://127.0.0.1:8080/'],
  ]);
});
