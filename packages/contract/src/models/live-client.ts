// Somebody connected to the media server: a publisher or a viewer, as the console lists them.
import { z } from 'zod';

export const liveClient = z.object({
  /** Id in the media server, 8 characters. */
  id: z.string(),
  /** Id of the stream in the media server. */
  streamId: z.string(),
  /** `rtmp`, `srt`, `rtc`, `flv`, `hls`, `ts`, … */
  protocol: z.string(),
  isPublisher: z.boolean(),
  ip: z.string(),
  /** What its program calls itself; empty when it does not say. */
  userAgent: z.string(),
  pageUrl: z.string(),
  uptimeMs: z.number(),
  sentBytes: z.number(),
  receivedBytes: z.number(),
  /** Mean of 30 s, the direction that carries its media. */
  kbps: z.number(),
  /** Bytes that wait for it, and frames it lost because it was too slow; 0 where nothing is measured. */
  queuedBytes: z.number(),
  droppedFrames: z.number(),
  /** Figures of its connection by name, e.g. `rttMs`, `lostPackets`; left out when there are none. */
  detail: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});
export type LiveClient = z.infer<typeof liveClient>;
