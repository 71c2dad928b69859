// A finding about a stream. The texts of findings are in the locale files.
import type { LiveStream } from '@srs-stack/contract';

/** `bad`: viewers have no video or no audio. `warning`: viewers notice the problem. `info`: only operators need to know. */
export const severities = ['bad', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export const findingKinds = [
  'no-media',
  'stalled',
  'unsupported-video',
  'no-keyframe',
  'video-stopped',
  'audio-stopped',
  'packets-missing',
  'unsupported-audio',
  'extra-tracks',
  'messages-dropped',
  'bitrate-drop',
  'keyframe-interval',
  'low-fps',
  'pauses',
  'late-packets',
  'packets-lost',
  'short-latency',
  'audio-offset',
  'b-frames-webrtc',
  'codec-webrtc',
  'viewers-stall-encoder',
  'viewers-stall-server',
  'viewers-stall-bitrate',
  'viewers-stall',
  'slow-viewers',
  'timestamps',
  'empty-audio',
  'slow-join',
  'slow-join-server',
  'codec-audio',
  'codec-video',
  'high-bitrate',
  'no-video',
  'no-audio',
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface HealthFinding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  /** Placeholder values of the text by name. */
  readonly values: Readonly<Record<string, number | string>>;
}

/** Checks one stream; returns undefined without a finding. */
export type HealthRule = (stream: LiveStream) => HealthFinding | undefined;

export function finding(severity: Severity, kind: FindingKind, values: HealthFinding['values'] = {}): HealthFinding {
  return { kind, severity, values };
}

/** Formats milliseconds as seconds with one decimal: `8.2`. */
export function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
