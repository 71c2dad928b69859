import { describe, expect, it } from 'vitest';
import { liveStreamFixture as streamOf } from '../testing.tsx';
import { healthFindings } from './stream-health.ts';

const steady = (kbps: number, seconds: number) => Array.from({ length: seconds }, () => kbps);

describe('health findings', () => {
  it.each([
    ['a healthy stream', {}, []],
    ['keyframes every 4 s', { keyframeIntervalMs: 4_000 }, []],
    ['keyframes every 8.2 s', { keyframeIntervalMs: 8_200 }, [{ kind: 'keyframes', seconds: '8.2' }]],
    ['an unknown keyframe distance', { keyframeIntervalMs: 0 }, []],
    ['no sound', { audio: null }, [{ kind: 'no-audio' }]],
    [
      'no picture, whose keyframe figure means nothing',
      { video: null, keyframeIntervalMs: 9_000 },
      [{ kind: 'no-video' }],
    ],
    [
      'a fallen bitrate',
      { bitrateHistoryKbps: [...steady(2_000, 30), ...steady(500, 5)] },
      [{ kind: 'bitrate-drops', lowKbps: 500, meanKbps: 2_000 }],
    ],
    ['a bitrate that only breathes', { bitrateHistoryKbps: [...steady(2_000, 30), ...steady(1_200, 5)] }, []],
    ['a stream that just began', { bitrateHistoryKbps: [2_000, 2_000, 10] }, []],
    ['a stream that grows from nothing', { bitrateHistoryKbps: [...steady(0, 30), ...steady(500, 5)] }, []],
  ])('of %s', (_name, change, findings) => {
    expect(healthFindings(streamOf(change))).toEqual(findings);
  });

  it.each([
    ['a long enough SRT latency', 'srt', { rttMs: 40, latencyMs: 120 }, undefined],
    ['an SRT latency below three round trips', 'srt', { rttMs: 61, latencyMs: 120 }, 200],
    ['an unmeasured round trip', 'srt', { rttMs: 0, latencyMs: 120 }, undefined],
    ['WebRTC, which has no such setting', 'rtc', { rttMs: 61, latencyMs: 120 }, undefined],
    ['no figures', 'srt', undefined, undefined],
  ])('judges %s', (_name, publisherProtocol, publisherDetail, wantedMs) => {
    const stream = streamOf({ publisherProtocol, ...(publisherDetail ? { publisherDetail } : {}) });
    const found = healthFindings(stream).find(({ kind }) => kind === 'short-latency');
    expect(found).toEqual(wantedMs && { kind: 'short-latency', latencyMs: 120, rttMs: 61, wantedMs });
  });
});
