// A publisher or viewer of the media server.
import { z } from 'zod';

export const liveClient = z.object({
  /** Id in the media server, 8 characters. */
  id: z.string(),
  streamId: z.string(),
  /** `rtmp`, `srt`, `rtc`, `flv`, `hls`, `ts`, … */
  protocol: z.string(),
  isPublisher: z.boolean(),
  /** Priority of a spare encoder, 2 or more; absent for other clients. */
  priority: z.number().int().optional(),
  ip: z.string(),
  /** User agent; '' if the client sent none. */
  userAgent: z.string(),
  pageUrl: z.string(),
  uptimeMs: z.number(),
  sentBytes: z.number(),
  receivedBytes: z.number(),
  /** Mean bitrate of the last 30 s in the direction of the media, kbit/s. */
  kbps: z.number(),
  /** Bytes queued for the client, and frames dropped because the client was too slow; 0 if not measured. */
  queuedBytes: z.number(),
  droppedFrames: z.number(),
  /** Connection metrics by name, e.g. `rttMs`, `lostPackets`; absent if not measured. */
  detail: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});
export type LiveClient = z.infer<typeof liveClient>;
