import { describe, expect, it } from 'vitest';
import { levelOf } from './level-meter.ts';
import { playDelaySeconds, readPlayStats, readPublishStats } from './rtc-stats.ts';

const codecs = [
  { type: 'codec', id: 'v', mimeType: 'video/H264', sdpFmtpLine: 'packetization-mode=1;profile-level-id=42e01f' },
  { type: 'codec', id: 'a', mimeType: 'audio/opus' },
];

describe('statistics of a publisher', () => {
  const at = (bytes: number, packets: number, lost: number) => [
    ...codecs,
    {
      type: 'outbound-rtp',
      id: '1',
      kind: 'video',
      codecId: 'v',
      bytesSent: bytes,
      packetsSent: packets,
      framesPerSecond: 30,
      frameWidth: 1280,
      frameHeight: 720,
      qualityLimitationReason: 'cpu',
    },
    { type: 'outbound-rtp', id: '2', kind: 'audio', codecId: 'a', bytesSent: 1_000, packetsSent: 50 },
    { type: 'remote-inbound-rtp', id: '3', kind: 'video', packetsLost: lost, roundTripTime: 0.012 },
  ];

  it('are rates between two samples', () => {
    const first = readPublishStats(at(100_000, 100, 0), 1_000);
    expect(first.metrics).toMatchObject({ bitrateKbps: undefined, lossPercent: undefined, fps: 30 });
    const second = readPublishStats(at(350_000, 300, 10), 2_000, first.sample);
    expect(second.metrics).toEqual({
      bitrateKbps: 2_000,
      fps: 30,
      width: 1280,
      height: 720,
      rttMs: 12,
      lossPercent: 5,
      jitterBufferMs: undefined,
      videoCodec: 'avc1.42e01f',
      audioCodec: 'opus',
      limitation: 'cpu',
    });
  });
});

describe('statistics of a player', () => {
  const at = (bytes: number, received: number, lost: number, delay: number, emitted: number) => [
    ...codecs,
    {
      type: 'inbound-rtp',
      id: '1',
      kind: 'video',
      codecId: 'v',
      bytesReceived: bytes,
      packetsReceived: received,
      packetsLost: lost,
      jitterBufferDelay: delay,
      jitterBufferEmittedCount: emitted,
    },
    { type: 'candidate-pair', id: '2', state: 'succeeded', nominated: true, currentRoundTripTime: 0.02 },
    { type: 'candidate-pair', id: '3', state: 'failed', nominated: false, currentRoundTripTime: 9 },
  ];

  it('report loss and jitter buffer of the last interval only', () => {
    const first = readPlayStats(at(0, 1_000, 500, 100, 100), 0);
    const { metrics } = readPlayStats(at(125_000, 1_099, 501, 103, 130), 1_000, first.sample);
    expect(metrics).toMatchObject({ bitrateKbps: 1_000, lossPercent: 1, rttMs: 20 });
    expect(metrics.jitterBufferMs).toBeCloseTo(100);
    expect(playDelaySeconds(metrics)).toBeCloseTo(0.11);
  });

  it('are unknown, not wrong, while no media arrives', () => {
    const first = readPlayStats(at(10, 5, 0, 0, 0), 0);
    const { metrics } = readPlayStats(at(10, 5, 0, 0, 0), 1_000, first.sample);
    expect(metrics).toMatchObject({ bitrateKbps: 0, lossPercent: undefined, jitterBufferMs: undefined });
    expect(playDelaySeconds(metrics)).toBeUndefined();
    expect(readPlayStats([], 0).metrics).toMatchObject({ videoCodec: undefined, rttMs: undefined });
  });
});

describe('audio level', () => {
  it.each([
    ['silence', 0, 0],
    ['full scale', 1, 1],
    ['a tenth, 20 dB lower', 0.1, 2 / 3],
    ['a whisper below the floor', 0.000_1, 0],
  ])('of %s', (_name, amplitude, level) => {
    expect(levelOf(new Float32Array(64).fill(amplitude))).toBeCloseTo(level);
  });

  it('of nothing is empty', () => expect(levelOf(new Float32Array(0))).toBe(0));
});
