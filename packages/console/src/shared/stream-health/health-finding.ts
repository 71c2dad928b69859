// What a rule says about a stream: which sentence, how grave, and the figures in it. The sentences are in the text files.
import type { LiveStream } from '@srs-stack/contract';

/** `bad`: viewers see or hear nothing. `warning`: they notice. `info`: worth knowing. */
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
  /** Figures of the sentence by name. */
  readonly values: Readonly<Record<string, number | string>>;
}

/** Undefined when there is nothing to say. A rule sees one stream and no clock. */
export type HealthRule = (stream: LiveStream) => HealthFinding | undefined;

export function finding(severity: Severity, kind: FindingKind, values: HealthFinding['values'] = {}): HealthFinding {
  return { kind, severity, values };
}

/** `8.2`: seconds of a sentence. */
export function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
