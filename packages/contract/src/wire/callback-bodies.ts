// Bodies of the callbacks that the media server sends to the control plane, key by key as SRS sends them; of the keys only
// those that the rules read must be there. The calls themselves stand in `endpoints/media-server-hooks.ts`.
import { z } from 'zod';
import { maxPlaysPerReport, maxSegmentsPerCall } from '../limits.ts';

const text = z.string().default('');

/** `POST …/hooks/srs/verify`: a publisher or player comes or goes. */
export const streamEvent = z.object({
  action: z.enum(['on_connect', 'on_close', 'on_publish', 'on_unpublish', 'on_play', 'on_stop']),
  client_id: text,
  server_id: text,
  service_id: text,
  ip: text,
  vhost: text,
  app: text,
  tcUrl: text,
  stream: text,
  stream_url: text,
  /** Query of the address with its `?`; holds the publish secret. */
  param: text,
  pageUrl: z.string().optional(),
  /**
   * With `on_play`: the media server has judged by the rules of the control plane and let so many in since it last told, this one the
   * last of them; nobody waits for an answer. Without it the media server asks.
   */
  plays: z.number().int().min(1).max(maxPlaysPerReport).optional(),
});
export type StreamEvent = z.infer<typeof streamEvent>;

/** `POST …/hooks/srs/hls`: a segment is complete. */
export const hlsSegmentEvent = z.object({
  action: z.literal('on_hls'),
  client_id: text,
  server_id: text,
  service_id: text,
  ip: text,
  vhost: text,
  app: text,
  tcUrl: text,
  stream: text,
  stream_url: text,
  param: text,
  cwd: text,
  /** Relative to `cwd` when not absolute. */
  file: z.string(),
  /** Seconds. */
  duration: z.number(),
  url: text,
  m3u8: text,
  m3u8_url: text,
  seq_no: z.number().int().default(0),
  /** The media server can tell of many in one call: the answer says of how many. SRS never asks, and is answered as it is used to. */
  asks_many: z.boolean().optional(),
});
export type HlsSegmentEvent = z.infer<typeof hlsSegmentEvent>;

/** `POST …/hooks/srs/segments`: these segments are complete, each of another stream or in order. */
export const hlsSegmentEvents = z.object({ segments: z.array(hlsSegmentEvent).min(1).max(maxSegmentsPerCall) });
export type HlsSegmentEvents = z.infer<typeof hlsSegmentEvents>;

/** How many segments may come in one call. A media server that does not heed it tells of one at a time. */
export const segmentReceipt = z.object({ segmentsPerCall: z.number().int().min(1) });
export type SegmentReceipt = z.infer<typeof segmentReceipt>;
