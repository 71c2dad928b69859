import { readSrsClientRow, readSrsStreamRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { describe, expect, it } from 'vitest';
import { streamHealthFixture } from '../testing/live-stream-fixture.ts';
import { toLiveClient, toLiveStreams } from './srs-responses.ts';

/** A stream as SRS 7 returns it. */
const srsStream = {
  id: 'vid-0xs7d0g',
  name: 'livestream',
  vhost: 'vid-q6r9h0z',
  app: 'live',
  tcUrl: 'rtmp://10.0.0.5/live',
  url: '/live/livestream',
  live_ms: 1_700_000_000_000,
  clients: 3,
  frames: 260,
  send_bytes: 4_000,
  recv_bytes: 90_000,
  kbps: { recv_30s: 812, send_30s: 1_600 },
  publish: { active: true, cid: 'k0bd6q3v' },
  video: { codec: 'H264', profile: 'High', level: '3.2', width: 1920, height: 1080 },
  audio: { codec: 'AAC', sample_rate: 44_100, channel: 2, profile: 'LC' },
};
const srsClient = {
  id: 'k0bd6q3v',
  vhost: 'vid-q6r9h0z',
  stream: 'vid-0xs7d0g',
  ip: '10.0.0.9',
  pageUrl: '',
  swfUrl: '',
  tcUrl: 'rtmp://10.0.0.5/live',
  url: '/live/livestream',
  name: 'livestream',
  type: 'fmle-publish',
  publish: true,
  alive: 12.5,
  send_bytes: 10,
  recv_bytes: 90_000,
  kbps: { recv_30s: 812, send_30s: 0 },
};
const viewer = (id: string, type: string) => ({ ...srsClient, id, type, publish: false, ip: '10.0.0.7' });

const liveStreams = (streams: readonly unknown[], clients: readonly unknown[]) =>
  toLiveStreams(streams.map(readSrsStreamRow), clients.map(readSrsClientRow));
const liveClient = (row: unknown) => toLiveClient(readSrsClientRow(row));

describe('rows of a real SRS', () => {
  it('become streams, completed by the list of clients', () => {
    const clients = [srsClient, viewer('a', 'flv-play'), viewer('b', 'rtc-play')];
    expect(liveStreams([srsStream], clients)).toEqual([
      {
        id: 'vid-0xs7d0g',
        vhost: '__defaultVhost__',
        app: 'live',
        stream: 'livestream',
        publisherProtocol: 'rtmp',
        publisherIp: '10.0.0.9',
        publisherClientId: 'k0bd6q3v',
        hasMedia: true,
        uptimeMs: 12_500,
        video: { codec: 'H264', profile: 'High', level: '3.2', width: 1920, height: 1080 },
        audio: { codec: 'AAC', sampleRate: 44_100, channels: 2, profile: 'LC' },
        fps: 0,
        keyframeIntervalMs: 0,
        bitrateKbps: 812,
        bitrateHistoryKbps: [],
        viewers: 2,
        viewersByProtocol: { flv: 1, rtc: 1 },
        receivedBytes: 90_000,
        sentBytes: 4_000,
      },
    ]);
  });

  it('omit streams without a publisher, and tolerate values of other types', () => {
    expect(liveStreams([{ ...srsStream, publish: { active: false } }, {}], [])).toEqual([]);
    const [odd] = liveStreams(
      [{ ...srsStream, video: 7, audio: null, kbps: null, clients: 'x', url: 'a.b/live/s' }],
      [],
    );
    expect(odd).toMatchObject({ video: null, audio: null, bitrateKbps: 0, viewers: 0, vhost: 'a.b' });
  });

  it('become clients', () => {
    expect(liveClient(srsClient)).toMatchObject({ protocol: 'rtmp', isPublisher: true, uptimeMs: 12_500, kbps: 812 });
    expect(liveClient(viewer('a', 'hls-play'))).toMatchObject({
      protocol: 'hls',
      isPublisher: false,
      kbps: 0,
      userAgent: '',
    });
    expect(liveClient({})).toMatchObject({ id: '', protocol: '', sentBytes: 0 });
  });
});

describe('rows of the embedded engine', () => {
  it('contain its measurements', () => {
    const health = streamHealthFixture({ longestGapMs: 1_500 });
    const ext = {
      protocol: 'srt',
      ip: '10.1.1.1',
      hasMedia: false,
      fps: 25,
      keyframeIntervalMs: 2_000,
      bitrateHistoryKbps: [700, 900],
      publishedForMs: 61_000,
      slowViewers: 1,
      publisherDetail: { rttMs: 12, state: 'good', odd: null },
      health,
    };
    expect(liveStreams([{ ...srsStream, ext }], [])[0]).toMatchObject({
      publisherProtocol: 'srt',
      publisherIp: '10.1.1.1',
      hasMedia: false,
      uptimeMs: 61_000,
      fps: 25,
      bitrateKbps: 900,
      bitrateHistoryKbps: [700, 900],
      slowViewers: 1,
      publisherDetail: { rttMs: 12, state: 'good' },
      health,
    });
    const client = { ...srsClient, ext: { userAgent: 'VLC', queuedBytes: 7, droppedFrames: 2, detail: { rttMs: 3 } } };
    expect(liveClient(client)).toMatchObject({
      userAgent: 'VLC',
      queuedBytes: 7,
      droppedFrames: 2,
      detail: { rttMs: 3 },
    });
  });
});
