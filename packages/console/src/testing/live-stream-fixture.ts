import type { LiveClient, LiveStream, StreamHealth } from '@srs-stack/contract';

/** Healthy values without a finding. */
export function streamHealthFixture(change: Partial<StreamHealth> = {}): StreamHealth {
  return {
    silentMs: 20,
    videoSilentMs: 20,
    audioSilentMs: 20,
    longestGapMs: 60,
    arrivalSpreadMs: 40,
    audioOffsetMs: 10,
    keyframeAgeMs: 900,
    hasKeyframe: true,
    hasBFrames: false,
    videoKbps: 2_400,
    audioKbps: 96,
    declaredFps: 30,
    recentRepairs: 0,
    recentLostPackets: 0,
    recentMissingPackets: 0,
    recentDroppedVideo: 0,
    recentDroppedAudio: 0,
    recentDroppedOther: 0,
    ...change,
  };
}

/** A healthy 720p stream from OBS, one hour old. */
export function liveStreamFixture(change: Partial<LiveStream> = {}): LiveStream {
  return {
    id: 'vid-0a1b2c3',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'livestream',
    publisherProtocol: 'rtmp',
    publisherIp: '10.0.0.7',
    publisherClientId: 'abcdefgh',
    hasMedia: true,
    uptimeMs: 3_600_000,
    video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720 },
    audio: { codec: 'AAC', sampleRate: 44_100, channels: 2, profile: 'LC' },
    fps: 30,
    keyframeIntervalMs: 2_000,
    bitrateKbps: 2_500,
    bitrateHistoryKbps: Array.from({ length: 60 }, () => 2_500),
    viewers: 3,
    viewersByProtocol: { flv: 2, hls: 1 },
    slowViewers: 0,
    receivedBytes: 1_000_000,
    sentBytes: 3_000_000,
    health: streamHealthFixture(),
    ...change,
  };
}

/** A viewer over HTTP-FLV. */
export function liveClientFixture(change: Partial<LiveClient> = {}): LiveClient {
  return {
    id: 'viewer01',
    streamId: 'vid-0a1b2c3',
    protocol: 'flv',
    isPublisher: false,
    ip: '203.0.113.9',
    userAgent: 'Mozilla/5.0',
    pageUrl: '',
    uptimeMs: 65_000,
    sentBytes: 20_000_000,
    receivedBytes: 0,
    kbps: 2_510,
    queuedBytes: 0,
    droppedFrames: 0,
    ...change,
  };
}
