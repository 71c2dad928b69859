// Whether viewers will be happy with what the encoder sends: findings with their evidence, worst first. Pure.
import type { LiveStream } from '@srs-stack/contract';

export type HealthFinding =
  | { kind: 'keyframes'; seconds: string }
  | { kind: 'bitrate-drops'; lowKbps: number; meanKbps: number }
  | { kind: 'short-latency'; latencyMs: number; rttMs: number; wantedMs: number }
  | { kind: 'no-video' }
  | { kind: 'no-audio' };

/** Players wait for a keyframe: a longer distance makes every start slow, milliseconds. */
const keyframeWarningMs = 4_000;
/** Seconds of history needed before a drop means anything. */
const historyNeeded = 10;
/** A last-seconds mean below this share of the minute's mean is a drop: the uplink or the encoder is struggling. */
const dropShare = 0.4;
/** Round trips within which SRT can ask for a lost packet and get it, with one attempt in reserve. */
const srtRoundTrips = 3;
/** What encoders take as a round figure, milliseconds. */
const latencyStepMs = 20;
/** Seconds whose mean is compared. */
const recentSeconds = 5;

export function healthFindings(stream: LiveStream): HealthFinding[] {
  const findings: HealthFinding[] = [];
  if (stream.video !== null && stream.keyframeIntervalMs > keyframeWarningMs) {
    findings.push({ kind: 'keyframes', seconds: (stream.keyframeIntervalMs / 1000).toFixed(1) });
  }
  const drop = bitrateDrop(stream.bitrateHistoryKbps);
  if (drop !== undefined) findings.push(drop);
  const latency = shortLatency(stream);
  if (latency !== undefined) findings.push(latency);
  if (stream.video === null) findings.push({ kind: 'no-video' });
  if (stream.audio === null) findings.push({ kind: 'no-audio' });
  return findings;
}

function bitrateDrop(history: readonly number[]): HealthFinding | undefined {
  if (history.length < historyNeeded) return undefined;
  const meanKbps = mean(history.slice(0, -recentSeconds));
  const lowKbps = mean(history.slice(-recentSeconds));
  if (meanKbps === 0 || lowKbps >= meanKbps * dropShare) return undefined;
  return { kind: 'bitrate-drops', lowKbps: Math.round(lowKbps), meanKbps: Math.round(meanKbps) };
}

function shortLatency({ publisherProtocol, publisherDetail }: LiveStream): HealthFinding | undefined {
  const { rttMs, latencyMs } = publisherDetail ?? {};
  if (publisherProtocol !== 'srt' || typeof rttMs !== 'number' || typeof latencyMs !== 'number') return undefined;
  const neededMs = rttMs * srtRoundTrips;
  if (rttMs <= 0 || latencyMs >= neededMs) return undefined;
  const wantedMs = Math.ceil(neededMs / latencyStepMs) * latencyStepMs;
  return { kind: 'short-latency', latencyMs: Math.round(latencyMs), rttMs: Math.round(rttMs), wantedMs };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
