// A client of the media server, publisher or viewer, as the console lists it.
import { z } from 'zod';

export const liveClient = z.object({
  /** Id in the media server, 8 characters. */
  id: z.string(),
  /** Id of the stream in the media server. */
  streamId: z.string(),
  /** `rtmp`, `srt`, `rtc`, `flv`, `hls`, `ts`, … */
  protocol: z.string(),
  isPublisher: z.boolean(),
  /** Priority of a spare encoder, 2 or more; absent for the publisher of the stream and for viewers. */
  priority: z.number().int().optional(),
  ip: z.string(),
  /** User agent; empty when the client sends none. */
  userAgent: z.string(),
  pageUrl: z.string(),
  uptimeMs: z.number(),
  sentBytes: z.number(),
  receivedBytes: z.number(),
  /** Mean of 30 s, in the direction of the media. */
  kbps: z.number(),
  /** Bytes queued for the client, and frames dropped because it was too slow; 0 if not measured. */
  queuedBytes: z.number(),
  droppedFrames: z.number(),
  /** Metrics of its connection by name, e.g. `rttMs`, `lostPackets`; absent when there are none. */
  detail: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});
export type LiveClient = z.infer<typeof liveClient>;
