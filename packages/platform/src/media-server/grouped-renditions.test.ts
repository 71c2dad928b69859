import { expect, it } from 'vitest';
import { groupRenditions } from './grouped-renditions.ts';
import type { MediaServerStream } from './media-server.ts';

function stream(name: string, clients: number, hls: number): MediaServerStream {
  return {
    ...{ id: name, vhost: '__defaultVhost__', app: 'live', stream: name, isPublished: true, publisherClientId: 'p' },
    ...{ clients, receivedBytes: 10, sentBytes: 100, receivedKbps: 1, video: null, audio: null },
    details: {
      ...{ protocol: 'rtmp', ip: '', hasMedia: true, fps: 25, keyframeIntervalMs: 0, publishedForMs: 1 },
      bitrateHistoryKbps: [],
      viewersByProtocol: { hls },
    },
  };
}

it('renditions and their viewers are merged into their stream', () => {
  const [row, ...others] = groupRenditions([
    stream('x', 3, 2),
    stream('x~720p', 5, 4),
    stream('x~audio', 1, 0),
    stream('y', 1, 0),
  ]);
  expect(row).toMatchObject({ stream: 'x', clients: 7, sentBytes: 300, receivedBytes: 10 });
  expect(row?.details?.viewersByProtocol).toEqual({ hls: 6 });
  expect(others.map((each) => each.stream)).toEqual(['y']);
});

it('renditions without their stream are left out', () => {
  expect(groupRenditions([stream('gone~720p', 2, 1)])).toEqual([]);
});
