// Streams and their clients: fixtures of the console tests, with realistic metrics.
import type { LiveClient, LiveStream, Refusal } from '@srs-stack/contract';
import { liveClientFixture, liveStreamFixture } from '../../../packages/console/src/testing/live-stream-fixture.ts';
import { data } from '../gallery-page.ts';

/** A healthy 1080p stream of OBS with ordinary fluctuations. */
export function liveStream(change: Partial<LiveStream> = {}): LiveStream {
  return liveStreamFixture({
    publisherIp: '203.0.113.24',
    publisherClientId: 'k7x2p9qd',
    uptimeMs: 3_723_000,
    video: { codec: 'H264', profile: 'High', level: '4.1', width: 1920, height: 1080 },
    audio: { codec: 'AAC', sampleRate: 48_000, channels: 2, profile: 'LC' },
    bitrateKbps: 4_512,
    bitrateHistoryKbps: Array.from({ length: 60 }, (_, second) => 4_500 + Math.round(400 * Math.sin(second / 4))),
    viewers: 1_284,
    viewersByProtocol: { flv: 812, hls: 431, rtc: 41 },
    receivedBytes: 2_098_000_000,
    sentBytes: 812_400_000_000,
    ...change,
  });
}

export const nothingLive = data({ mediaServer: true, streams: [], refusals: [] });

/** Clients of a stream: the publisher, and a viewer of every protocol. */
export function clientsOf({ id: streamId, publisherIp }: LiveStream): LiveClient[] {
  const client = (id: string, protocol: string, change: Partial<LiveClient> = {}) =>
    liveClientFixture({
      id,
      streamId,
      protocol,
      ip: '198.51.100.20',
      userAgent: 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/145.0',
      uptimeMs: 621_000,
      sentBytes: 350_000_000,
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
