// Live streams, and refused attempts to publish or play.
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

export const viewersByProtocol = z.record(z.string(), z.number().int());

export const liveStream = z.object({
  /** Id in the media server, `vid-xxxxxxx`. */
  id: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Protocol of the publisher: `rtmp`, `srt`, `rtc`, `rtsp`, `udp` or `hls`; '' if unknown. */
  publisherProtocol: z.string(),
  publisherIp: z.string(),
  publisherClientId: z.string(),
  /** Whether the publisher has sent media. */
  hasMedia: z.boolean(),
  uptimeMs: z.number(),
  video: liveVideo.nullable(),
  audio: liveAudio.nullable(),
  fps: z.number(),
  /** Mean of the last keyframe intervals; 0 if unknown. */
  keyframeIntervalMs: z.number(),
  /** Bitrate over the last second. */
  bitrateKbps: z.number(),
  /** One value per second, oldest first, at most 60 values. */
  bitrateHistoryKbps: z.array(z.number()),
  viewers: z.number().int(),
  viewersByProtocol,
  /** Number of viewers that recently lost frames because they were too slow; absent if unknown. */
  slowViewers: z.number().int().optional(),
  receivedBytes: z.number(),
  sentBytes: z.number(),
  /** Metrics of the publisher's connection by name, e.g. `rttMs`, `lostPackets`; absent if not measured. */
  publisherDetail: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  /** Milliseconds since the slate started; absent while the source sends media. */
  slateForMs: z.number().optional(),
  /** Milliseconds since the backup source took over; absent while unused. */
  backupForMs: z.number().optional(),
  /** Connected spare encoders in order of preference; absent without spare encoders. `isOnAir`: viewers see this encoder. */
  spares: z.array(z.object({ priority: z.number().int(), isOnAir: z.boolean() })).optional(),
  /** Absent if the media server does not measure health. */
  health: streamHealth.optional(),
  /** Playback quality of the last minute, reported by players; absent without reports. */
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
