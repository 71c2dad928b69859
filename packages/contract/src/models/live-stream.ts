// A live stream as the console shows it, and refused publish and play attempts.
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

/** Viewers by output protocol. */
export const viewersByProtocol = z.record(z.string(), z.number().int());

export const liveStream = z.object({
  /** Id in the media server, `vid-xxxxxxx`. */
  id: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Protocol of the publisher: `rtmp`, `srt`, `rtc`; empty when the media server does not report it. */
  publisherProtocol: z.string(),
  publisherIp: z.string(),
  publisherClientId: z.string(),
  /** Whether the publisher has sent media. */
  hasMedia: z.boolean(),
  uptimeMs: z.number(),
  video: liveVideo.nullable(),
  audio: liveAudio.nullable(),
  fps: z.number(),
  /** Mean interval of the last keyframes; 0 while unknown. */
  keyframeIntervalMs: z.number(),
  /** Bitrate over the last second. */
  bitrateKbps: z.number(),
  /** One value per second, oldest first, at most 60. */
  bitrateHistoryKbps: z.array(z.number()),
  viewers: z.number().int(),
  viewersByProtocol,
  /** Viewers that recently lost frames because they were too slow; absent when the media server does not report it. */
  slowViewers: z.number().int().optional(),
  receivedBytes: z.number(),
  sentBytes: z.number(),
  /** Metrics of the publisher's connection by name, e.g. `rttMs`, `lostPackets`; absent when there are none. */
  publisherDetail: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  /** Time since the slate started, milliseconds; absent while the source sends. */
  slateForMs: z.number().optional(),
  /** Time since the backup source took over, milliseconds; absent while it is not used. */
  backupForMs: z.number().optional(),
  /** Connected spare encoders, the preferred one first; absent without one. `isOnAir`: viewers see it. */
  spares: z.array(z.object({ priority: z.number().int(), isOnAir: z.boolean() })).optional(),
  /** Health of the stream; absent when the media server does not measure it. */
  health: streamHealth.optional(),
  /** Playback quality of the last minute as reported by players; absent without reports. */
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
  /** English message for logs and tooltips, without secrets. */
  detail: z.string(),
});
export type Refusal = z.infer<typeof refusal>;
