// What every page asks for: a server that is set up and healthy, an hour into a live show.
import type { Environment, LiveClient, LiveStream, Refusal } from '@srs-stack/contract';
import { type Answers, data } from '../gallery-page.ts';
import { demoOff, firstSteps, video } from './first-run.ts';
import { events, history, snapshot } from './monitor.ts';
import { revision } from './revision.ts';

export const session = {
  token: 'gallery-token',
  createAt: '2026-03-08T09:00:00+08:00',
  expireAt: '2027-03-08T09:00:00+08:00',
  bearer: 'srs-v2-8f14e45fceea167a5a36dedd4bea2543',
};

const environment: Environment = {
  mgmtDocker: true,
  platformDocker: false,
  candidate: true,
  rtmpPort: '1935',
  httpPort: '',
  srtPort: '10080',
  rtcPort: '8000',
  forwardLimit: 10,
  vLiveLimit: 10,
  cameraLimit: 10,
};

/** A healthy 1080p stream of OBS with ordinary ups and downs. */
export function liveStream(change: Partial<LiveStream> = {}): LiveStream {
  return {
    id: 'vid-0a1b2c3',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'livestream',
    publisherProtocol: 'rtmp',
    publisherIp: '203.0.113.24',
    publisherClientId: 'k7x2p9qd',
    hasMedia: true,
    uptimeMs: 3_723_000,
    video: { codec: 'H264', profile: 'High', level: '4.1', width: 1920, height: 1080 },
    audio: { codec: 'AAC', sampleRate: 48_000, channels: 2, profile: 'LC' },
    fps: 30,
    keyframeIntervalMs: 2_000,
    bitrateKbps: 4_512,
    bitrateHistoryKbps: Array.from({ length: 60 }, (_, second) => 4_500 + Math.round(400 * Math.sin(second / 4))),
    viewers: 1_284,
    viewersByProtocol: { flv: 812, hls: 431, rtc: 41 },
    receivedBytes: 2_098_000_000,
    sentBytes: 812_400_000_000,
    ...change,
  };
}

/** Who is connected to a stream: its publisher, and viewers by every protocol. */
export function clientsOf({ id: streamId, publisherIp }: LiveStream): LiveClient[] {
  const client = (id: string, protocol: string, change: Partial<LiveClient> = {}): LiveClient => ({
    id,
    streamId,
    protocol,
    isPublisher: false,
    ip: '198.51.100.20',
    userAgent: 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/145.0',
    pageUrl: '',
    uptimeMs: 621_000,
    sentBytes: 350_000_000,
    receivedBytes: 4_000,
    kbps: 4_510,
    queuedBytes: 0,
    droppedFrames: 0,
    ...change,
  });
  return [
    client('k7x2p9qd', 'rtmp', { isPublisher: true, ip: publisherIp, userAgent: 'obs-studio/31.0' }),
    client('a1b2c3d4', 'flv'),
    client('b2c3d4e5', 'hls'),
    client('c3d4e5f6', 'rtc', { detail: { rttMs: 24, lostPackets: 3 } }),
    client('d4e5f6a7', 'flv', { ip: '2001:db8::7', queuedBytes: 812_000, droppedFrames: 42 }),
  ];
}

export const refusal: Refusal = {
  at: '2026-03-08T12:14:12Z',
  protocol: 'rtmp',
  action: 'publish',
  ip: '198.51.100.77',
  app: 'live',
  stream: 'livestream',
  reason: 'publish-secret-wrong',
  detail: 'the publish secret is wrong',
};

export const everydayAnswers: Answers = {
  queryVersion: data({ version: '1.2.3' }),
  init: data({ init: true, setupTokenRequired: false }),
  renewToken: data(session),
  check: data({ upgrading: false }),
  envs: data(environment),
  status: data({
    version: 'v1.2.3',
    releases: { version: 'v1.2.3', stable: 'v1.2.0', latest: 'v1.3.0' },
    upgrading: false,
    strategy: 'manual',
  }),
  queryBeian: data({}),
  queryPublishSecret: data({ publish: 'b2e14a7c90d34f6f8a1d', pubNoAuth: false, revision }),
  queryStreams: data({ streams: [] }),
  queryMonitor: data({ snapshot, events }),
  queryMonitorHistory: data(history),
  queryFirstSteps: data(firstSteps),
  queryDemoStream: data(demoOff),
  bilibili: data(video),
  queryLive: data({ mediaServer: true, streams: [liveStream()], refusals: [] }),
  queryStreamRecording: data({ wanted: true, chosen: true, since: '2026-03-08T10:14:05Z' }),
};

export const nothingLive = data({ mediaServer: true, streams: [], refusals: [] });
