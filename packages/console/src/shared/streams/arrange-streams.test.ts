import { describe, expect, it } from 'vitest';
import { liveClientFixture, liveStreamFixture as streamOf } from '../../testing/live-stream-fixture.ts';
import { arrangeClients, arrangeStreams, type StreamOrder } from './arrange-streams.ts';

const streams = [
  streamOf({ stream: 'b', viewers: 1, bitrateKbps: 900, uptimeMs: 3 }),
  streamOf({
    stream: 'a',
    viewers: 9,
    bitrateKbps: 100,
    uptimeMs: 2,
    publisherProtocol: 'rtc',
    publisherIp: '10.9.9.9',
  }),
  streamOf({ stream: 'c', viewers: 5, bitrateKbps: 500, uptimeMs: 1, keyframeIntervalMs: 9_000 }),
];
const names = (order: StreamOrder, search = '') =>
  arrangeStreams(streams, order, search)
    .map(({ path }) => path)
    .join();

describe('streams in a list', () => {
  it.each<[StreamOrder, string]>([
    ['health', 'live/c,live/a,live/b'],
    ['name', 'live/a,live/b,live/c'],
    ['viewers', 'live/a,live/c,live/b'],
    ['bitrate', 'live/b,live/c,live/a'],
    ['uptime', 'live/b,live/a,live/c'],
  ])('are sorted by %s', (order, expected) => {
    expect(names(order)).toBe(expected);
  });

  it.each([
    ['LIVE/B', 'live/b'],
    ['webrtc', 'live/a'],
    ['10.9 live', 'live/a'],
    ['1280×720 aac', 'live/a,live/b,live/c'],
    ['nothing', ''],
  ])('are found by %s', (search, expected) => {
    expect(names('name', search)).toBe(expected);
  });
});

describe('clients in a list', () => {
  const clients = [
    liveClientFixture({ id: 'young', uptimeMs: 1 }),
    liveClientFixture({ id: 'old', uptimeMs: 9, userAgent: 'VLC/3.0' }),
    liveClientFixture({ id: 'pub', uptimeMs: 5, isPublisher: true, protocol: 'srt' }),
  ];
  it('start with the publisher and are found by program, protocol and address', () => {
    const ids = (search: string) =>
      arrangeClients(clients, search)
        .map(({ id }) => id)
        .join();
    expect(ids('')).toBe('pub,old,young');
    expect(ids('vlc')).toBe('old');
    expect(ids('srt 203.0')).toBe('pub');
  });
});
