import type { LiveStream, StreamHealth } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { liveStreamFixture, streamHealthFixture } from '../../testing/live-stream-fixture.ts';
import { findingKinds } from './health-finding.ts';
import en from './locales/en.json' with { type: 'json' };
import zh from './locales/zh.json' with { type: 'json' };
import { healthFindings } from './stream-health.ts';

const steady = (kbps: number, seconds: number) => Array.from({ length: seconds }, () => kbps);
const found = (change: Partial<LiveStream>) =>
  healthFindings(liveStreamFixture(change)).map(({ severity, kind, values }) => [severity, kind, values]);
const measured = (change: Partial<StreamHealth>, more: Partial<LiveStream> = {}) =>
  found({ ...more, health: streamHealthFixture(change) });
const nothing: unknown[] = [];
const viewing = {
  ...{ viewers: 4, joinP50: 0.8, joinP95: 2, stalledShare: 0, stallsPerHour: 0, receivedBps: 2_000_000 },
  ...{ stalledReceivedBps: null, delayP50: 1, delayP95: 2, droppedShare: 0 },
};
const viewed = (change: Partial<NonNullable<LiveStream['viewing']>>, more: Partial<LiveStream> = {}) =>
  found({ bitrateKbps: 6_000, ...more, viewing: { ...viewing, ...change } }).filter(([, kind]) =>
    /viewers-stall|slow-join/.test(String(kind)),
  );
const slower = { stalledReceivedBps: 1_200_000 };
const stallValues = (count: number, receivedMbps: string, seconds = '0.0') => ({
  count,
  mbps: '6.0',
  receivedMbps,
  seconds,
});
const uneven = { health: streamHealthFixture({ longestGapMs: 2_300 }) };
const even = { health: streamHealthFixture({ longestGapMs: 0, silentMs: 0 }) };
const hevc = { codec: 'HEVC', profile: 'Main', level: '4', width: 1920, height: 1080 };

describe('health of a stream', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['a healthy stream', found({}), nothing],
    ['viewers without stalls', viewed({}), nothing],
    ['one stalling viewer in twenty', viewed({ stalledShare: 0.05, ...slower }), nothing],
    [
      'one viewer in four on a slower connection',
      viewed({ stalledShare: 0.25, ...slower }, even),
      [['warning', 'viewers-stall-bitrate', stallValues(4, '1.2')]],
    ],
    [
      'one viewer in four that receives the full bitrate',
      viewed({ stalledShare: 0.25, stalledReceivedBps: 6_000_000 }, even),
      [['warning', 'viewers-stall', stallValues(4, '6.0')]],
    ],
    [
      'all viewers while the encoder pauses',
      viewed({ stalledShare: 1, ...slower }, uneven),
      [['warning', 'viewers-stall-encoder', stallValues(1, '1.2', '2.3')]],
    ],
    [
      'all viewers while the encoder sends evenly',
      viewed({ stalledShare: 0.9, ...slower }, even),
      [['warning', 'viewers-stall-server', stallValues(1, '1.2')]],
    ],
    [
      'the only viewer, on a slower connection',
      viewed({ viewers: 1, stalledShare: 1, ...slower }, uneven),
      [['warning', 'viewers-stall-bitrate', stallValues(1, '1.2', '2.3')]],
    ],
    ['a viewer that left', viewed({ viewers: 0.2, stalledShare: 1, ...slower }), nothing],
    [
      'late first frames',
      viewed({ joinP50: 5.2 }, { keyframeIntervalMs: 9_000 }),
      [['info', 'slow-join', { seconds: '5.2', keyframeSeconds: '9.0' }]],
    ],
    [
      'late first frames despite a short keyframe interval',
      viewed({ joinP50: 5.2 }, { keyframeIntervalMs: 2_033 }),
      [['info', 'slow-join-server', { seconds: '5.2', keyframeSeconds: '2.0' }]],
    ],
    [
      'a stream of a server that measures nothing',
      healthFindings({ ...liveStreamFixture(), health: undefined } as never),
      nothing,
    ],
    [
      'an encoder that sends nothing',
      found({ hasMedia: false, uptimeMs: 9_000 }),
      [['bad', 'no-media', { seconds: '9.0' }]],
    ],
    [
      'an encoder that has just connected',
      found({ hasMedia: false, uptimeMs: 900, video: null, audio: null }),
      nothing,
    ],
    [
      'an interrupted connection',
      measured({ silentMs: 3_100, longestGapMs: 3_100 }),
      [['bad', 'stalled', { seconds: '3.1' }]],
    ],
    ['pauses', measured({ longestGapMs: 2_300 }), [['warning', 'pauses', { seconds: '2.3' }]]],
    ['pauses of the first seconds', measured({ longestGapMs: 2_300 }, { uptimeMs: 9_000 }), nothing],
    ['late packets', measured({ arrivalSpreadMs: 1_400 }), [['warning', 'late-packets', { seconds: '1.4' }]]],
    ['a relay that sent its cache at once', measured({ arrivalSpreadMs: 4_000 }, { uptimeMs: 8_000 }), nothing],
    [
      'a fallen bitrate',
      found({ bitrateHistoryKbps: [...steady(2_000, 30), ...steady(500, 5)] }),
      [['warning', 'bitrate-drop', { lowKbps: 500, meanKbps: 2_000 }]],
    ],
    ['a bitrate that varies', found({ bitrateHistoryKbps: [...steady(2_000, 30), ...steady(1_200, 5)] }), nothing],
    ['a stream that has just started', found({ bitrateHistoryKbps: [2_000, 2_000, 10] }), nothing],
    ['a stream that grows from nothing', found({ bitrateHistoryKbps: [...steady(0, 30), ...steady(500, 5)] }), nothing],
    ['keyframes every 4 s', found({ keyframeIntervalMs: 4_000 }), nothing],
    [
      'keyframes every 8.2 s',
      found({ keyframeIntervalMs: 8_200 }),
      [['warning', 'keyframe-interval', { seconds: '8.2' }]],
    ],
    ['an unknown keyframe distance', found({ keyframeIntervalMs: 0 }), nothing],
    [
      'no keyframe at all',
      measured({ hasKeyframe: false, keyframeAgeMs: 6_000 }, { keyframeIntervalMs: 0 }),
      [['bad', 'no-keyframe', { seconds: '6.0' }]],
    ],
    ['keyframes that have stopped', measured({ keyframeAgeMs: 15_000 }), [['bad', 'no-keyframe', { seconds: '15.0' }]]],
    [
      'a long interval in which the next keyframe is not late yet',
      measured({ keyframeAgeMs: 15_000 }, { keyframeIntervalMs: 8_000 }),
      [['warning', 'keyframe-interval', { seconds: '8.0' }]],
    ],
    ['stopped video', measured({ videoSilentMs: 6_000 }), [['bad', 'video-stopped', { seconds: '6.0' }]]],
    [
      'stopped audio',
      measured({ audioSilentMs: 6_000, audioOffsetMs: -6_000, audioKbps: 0 }),
      [['bad', 'audio-stopped', { seconds: '6.0' }]],
    ],
    ['too few frames', found({ fps: 18 }), [['warning', 'low-fps', { fps: '18', declared: 30 }]]],
    ['nearly all frames', found({ fps: 27.5 }), nothing],
    ['an encoder that announced no frame rate', measured({ declaredFps: 0 }, { fps: 5 }), nothing],
    [
      'audio ahead',
      measured({ audioOffsetMs: 1_240 }),
      [['warning', 'audio-offset', { seconds: '1.2', direction: 'ahead' }]],
    ],
    [
      'audio behind',
      measured({ audioOffsetMs: -900 }),
      [['warning', 'audio-offset', { seconds: '0.9', direction: 'behind' }]],
    ],
    ['a muted microphone', measured({ audioKbps: 2 }), [['info', 'empty-audio', { kbps: 2 }]]],
    [
      'malformed video and audio messages',
      measured({ recentDroppedVideo: 2, recentDroppedAudio: 1 }),
      [['warning', 'messages-dropped', { count: 3, video: 2, audio: 1, other: 0 }]],
    ],
    [
      'a malformed control message',
      measured({ recentDroppedOther: 1 }),
      [['info', 'messages-dropped', { count: 1, video: 0, audio: 0, other: 1 }]],
    ],
    ['one repaired timestamp', measured({ recentRepairs: 1 }), [['info', 'timestamps', { count: 1 }]]],
    ['many repaired timestamps', measured({ recentRepairs: 12 }), [['warning', 'timestamps', { count: 12 }]]],
    ['B-frames without WebRTC viewers', measured({ hasBFrames: true }), nothing],
    [
      'B-frames with WebRTC viewers',
      measured({ hasBFrames: true }, { viewersByProtocol: { rtc: 2, flv: 1 } }),
      [['warning', 'b-frames-webrtc', { count: 2 }]],
    ],
    ['HEVC', found({ video: hevc }), [['info', 'codec-video', { codec: 'HEVC' }]]],
    [
      'HEVC with a WebRTC viewer',
      found({ video: hevc, viewersByProtocol: { rtc: 1 } }),
      [['warning', 'codec-webrtc', { count: 1, codec: 'HEVC' }]],
    ],
    [
      'an audio codec that browsers cannot play',
      found({ audio: { codec: 'AC3', sampleRate: 48_000, channels: 6, profile: '' } }),
      [['warning', 'codec-audio', { codec: 'AC-3' }]],
    ],
    [
      'audio that the server does not support',
      found({
        publisherDetail: { unsupportedAudio: 'ac3' },
        audio: { codec: 'AC3', sampleRate: 48_000, channels: 6, profile: '' },
      }),
      [['warning', 'unsupported-audio', { codec: 'AC-3' }]],
    ],
    [
      'video that the server does not support',
      found({ publisherDetail: { unsupportedVideo: 'MPEG-2' }, video: null }),
      [
        ['bad', 'unsupported-video', { codec: 'MPEG-2' }],
        ['info', 'no-video', {}],
      ],
    ],
    [
      'a second audio track',
      found({ publisherDetail: { extraAudioTracks: 1 } }),
      [['info', 'extra-tracks', { count: 1, video: 0, audio: 1 }]],
    ],
    ['Opus', found({ audio: { codec: 'Opus', sampleRate: 48_000, channels: 2, profile: '' } }), nothing],
    [
      'a bitrate far too high for its resolution',
      found({ bitrateHistoryKbps: steady(18_000, 60) }),
      [['info', 'high-bitrate', { mbps: '18.0', size: '1280×720', wantedMbps: 4 }]],
    ],
    [
      'a high bitrate, but of 4K',
      found({ bitrateHistoryKbps: steady(18_000, 60), video: { ...hevc, codec: 'H264', width: 3840, height: 2160 } }),
      nothing,
    ],
    ['slow viewers', found({ slowViewers: 3 }), [['warning', 'slow-viewers', { count: 3 }]]],
    ['no audio', found({ audio: null }), [['info', 'no-audio', {}]]],
    [
      'no video, which makes its keyframe interval meaningless',
      found({ video: null, keyframeIntervalMs: 9_000 }),
      [['info', 'no-video', {}]],
    ],
  ])('of %s', (_name, findings, expected) => {
    expect(findings).toEqual(expected);
  });

  it.each([
    ['a long enough SRT latency', 'srt', { rttMs: 40, latencyMs: 120 }, undefined],
    ['an SRT latency below three round trips', 'srt', { rttMs: 61, latencyMs: 120 }, 200],
    ['an unmeasured round trip', 'srt', { rttMs: 0, latencyMs: 120 }, undefined],
    ['WebRTC, which has no such setting', 'rtc', { rttMs: 61, latencyMs: 120 }, undefined],
    ['no metrics', 'srt', undefined, undefined],
  ])('checks the latency: %s', (_name, publisherProtocol, publisherDetail, wantedMs) => {
    const stream = liveStreamFixture({ publisherProtocol, ...(publisherDetail ? { publisherDetail } : {}) });
    const values = healthFindings(stream).find(({ kind }) => kind === 'short-latency')?.values;
    expect(values).toEqual(wantedMs && { latencyMs: 120, rttMs: 61, wantedMs });
  });

  it.each<[string, Partial<StreamHealth>, unknown[]]>([
    ['a few lost packets', { recentLostPackets: 3 }, nothing],
    [
      'losses that were repaired',
      { recentLostPackets: 100 },
      [['info', 'packets-lost', { count: 100, percent: '0.7', protocol: 'SRT' }]],
    ],
    [
      'heavy losses',
      { recentLostPackets: 900 },
      [['warning', 'packets-lost', { count: 900, percent: '5.9', protocol: 'SRT' }]],
    ],
    [
      'packets that never arrived',
      { recentLostPackets: 90, recentMissingPackets: 7 },
      [['bad', 'packets-missing', { count: 7, protocol: 'SRT' }]],
    ],
  ])('reports %s', (_name, health, expected) => {
    expect(measured(health, { publisherProtocol: 'srt' })).toEqual(expected);
  });

  it('sorts by severity', () => {
    const kinds = found({
      audio: null,
      keyframeIntervalMs: 9_000,
      health: streamHealthFixture({ silentMs: 2_500, recentRepairs: 2 }),
    }).map(([, kind]) => kind);
    expect(kinds).toEqual(['stalled', 'keyframe-interval', 'timestamps', 'no-audio']);
  });

  it('has a text and a remedy for every finding in both languages', () => {
    for (const texts of [zh, en] as Record<string, object>[]) {
      for (const kind of findingKinds) expect(Object.keys(texts[kind] ?? {}).join(), kind).toMatch(/what.*advice/);
    }
  });
});
