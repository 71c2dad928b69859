import { describe, expect, it } from 'vitest';
import { connectionMetrics } from './connection-metrics.ts';

describe('metrics of the publisher’s connection', () => {
  it.each([
    ['RTMP, which measures nothing', undefined, []],
    ['an empty response', {}, []],
    [
      'a calm SRT line',
      { rttMs: 3.14, latencyMs: 120, lostPackets: 0, recoveredPackets: 0, droppedPackets: 0, flightPackets: 8 },
      [
        { kind: 'rtt', value: 3.1 },
        { kind: 'latency', value: 120 },
        { kind: 'lost', value: 0 },
      ],
    ],
    [
      'a lossy SRT line',
      { rttMs: 61.6, latencyMs: 400, lostPackets: 30, recoveredPackets: 28, droppedPackets: 2 },
      [
        { kind: 'rtt', value: 62 },
        { kind: 'latency', value: 400 },
        { kind: 'lost', value: 30 },
        { kind: 'recovered', value: 28 },
        { kind: 'dropped', value: 2 },
      ],
    ],
    [
      'WebRTC before the first round trip',
      { rttMs: 0, lostPackets: 5, damagedFrames: 1 },
      [
        { kind: 'lost', value: 5 },
        { kind: 'damaged', value: 1 },
      ],
    ],
    ['metrics of another server', { rttMs: 'fast', lostPackets: Number.NaN, note: 'x' }, []],
  ])('of %s', (_name, publisherDetail, expected) => {
    expect(connectionMetrics(publisherDetail ? { publisherDetail } : {})).toEqual(expected);
  });
});
