// A live stream as the console shows it, and the refused attempts beside it.
import { z } from 'zod';
import { refusalReasons } from '../values/refusals.ts';
import { streamHealth } from './stream-health.ts';
import { streamViewers } from './viewers.ts';

export const liveVideo = z.object({
  codec: z.string(),
  profile: z.string(),
  level: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

export const liveAudio = z.object({
  codec: z.string(),
  sampleRate: z.number().int(),
  channels: z.number().int(),
  profile: z.string(),
});

/** Viewers by the way they watch. */
export const viewersByProtocol = z.record(z.string(), z.number().int());

export const liveStream = z.object({
  /** Id in the media server, `vid-xxxxxxx`. */
  id: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** How the publisher sends: `rtmp`, `srt`, `rtc`; empty when the media server does not tell. */
  publisherProtocol: z.string(),
  publisherIp: z.string(),
  publisherClientId: z.string(),
  /** False between the publisher's acceptance and its first media. */
  hasMedia: z.boolean(),
  uptimeMs: z.number(),
  video: liveVideo.nullable(),
  audio: liveAudio.nullable(),
  fps: z.number(),
  /** Mean distance between the last keyframes; 0 while unknown. */
  keyframeIntervalMs: z.number(),
  /** Over the last second. */
  bitrateKbps: z.number(),
  /** One value per second, oldest first, at most 60. */
  bitrateHistoryKbps: z.array(z.number()),
  viewers: z.number().int(),
  viewersByProtocol,
  /** Viewers that lost frames lately because they were too slow; left out when the media server does not tell. */
  slowViewers: z.number().int().optional(),
  receivedBytes: z.number(),
  sentBytes: z.number(),
  /** Figures of the publisher's connection by name, e.g. `rttMs`, `lostPackets`; left out when there are none. */
  publisherDetail: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  /** Left out when the media server does not measure it. */
  health: streamHealth.optional(),
  /** What its viewers got in the last minute, as their players reported it; left out when none did. */
  viewing: streamViewers.optional(),
});
export type LiveStream = z.infer<typeof liveStream>;

export const refusalReason = z.enum(refusalReasons);
export type RefusalReason = z.infer<typeof refusalReason>;

export const refusal = z.object({
  /** RFC 3339. */
  at: z.string(),
  protocol: z.string(),
  action: z.enum(['publish', 'play']),
  ip: z.string(),
  app: z.string(),
  stream: z.string(),
  reason: refusalReason,
  /** Sentence in English for logs and tooltips, without secrets. */
  detail: z.string(),
});
export type Refusal = z.infer<typeof refusal>;
