// A live stream for tests that look at its name and its viewers only.
import { defaultApp, defaultVhost, type LiveStream } from '@srs-stack/contract';

export function quietStream(stream: string, viewers = 1): LiveStream {
  return {
    id: `vid-${stream}`,
    vhost: defaultVhost,
    app: defaultApp,
    stream,
    publisherProtocol: 'rtmp',
    publisherIp: '127.0.0.1',
    publisherClientId: 'client',
    hasMedia: true,
    uptimeMs: 1_000,
    video: null,
    audio: null,
    fps: 25,
    keyframeIntervalMs: 2_000,
    bitrateKbps: 1_000,
    bitrateHistoryKbps: [],
    viewers,
    viewersByProtocol: {},
    receivedBytes: 0,
    sentBytes: 0,
  };
}
