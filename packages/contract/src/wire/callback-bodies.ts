// Bodies of the callbacks from the media server to the control plane, with the keys of SRS. Only keys that the product needs are required.
import { z } from 'zod';
import { maxPlaysPerReport, maxSegmentsPerCall } from '../limits.ts';

const text = z.string().default('');

/** `POST …/hooks/srs/verify`: a publisher or player connects or disconnects. */
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
  /** Query of the address with its `?`; contains the publish secret. */
  param: text,
  pageUrl: z.string().optional(),
  /** With `on_publish`, for Digest authentication (RFC 7616, MD5): proof that the publisher knows a secret. */
  digest: z
    .object({
      user: z.string(),
      realm: z.string(),
      /** The text after HA1 in the input of the hash. HA1 is the hash of user, realm and secret. */
      rest: z.string(),
      response: z.string(),
    })
    .optional(),
  /** With `on_publish`: priority (2 or more) of a spare encoder whose stream already has a publisher. That publisher keeps sending. */
  priority: z.number().int().min(2).optional(),
  /**
   * With `on_play`: number of viewers admitted by the access rules since the previous report, including this viewer. A body without `plays`
   * requests authorization instead.
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
  /** Whether the media server can report several segments per call; the response then contains the maximum. SRS never sets this key. */
  asks_many: z.boolean().optional(),
});
export type HlsSegmentEvent = z.infer<typeof hlsSegmentEvent>;

/** `POST …/hooks/srs/segments`: the listed segments are complete. Segments of one stream are in order. */
export const hlsSegmentEvents = z.object({ segments: z.array(hlsSegmentEvent).min(1).max(maxSegmentsPerCall) });
export type HlsSegmentEvents = z.infer<typeof hlsSegmentEvents>;

/** Maximum number of segments per call. A media server that ignores this value reports one segment per call. */
export const segmentReceipt = z.object({ segmentsPerCall: z.number().int().min(1) });
export type SegmentReceipt = z.infer<typeof segmentReceipt>;
