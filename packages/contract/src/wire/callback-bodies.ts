// Bodies of the callbacks from the media server to the control plane, with the keys of SRS. Only keys that the product needs are required.
// The calls are in `endpoints/media-server-hooks.ts`.
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
  /** With `on_publish`: a publisher that proves by Digest authentication (RFC 7616, MD5) that it knows a secret. */
  digest: z
    .object({
      user: z.string(),
      realm: z.string(),
      /** The text that is hashed after the hash of user, realm and secret. */
      rest: z.string(),
      response: z.string(),
    })
    .optional(),
  /** With `on_publish`: priority of a spare encoder, 2 or more, if its stream already has a publisher, which keeps sending. */
  priority: z.number().int().min(2).optional(),
  /**
   * With `on_play`: the number of viewers that the media server has admitted by the access rules since its previous report, including this
   * one. It makes the event a report; without it the media server requests authorization.
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
  /** Whether the media server can report several segments in one call; the response then contains the maximum. SRS never sets it. */
  asks_many: z.boolean().optional(),
});
export type HlsSegmentEvent = z.infer<typeof hlsSegmentEvent>;

/** `POST …/hooks/srs/segments`: these segments are complete; of several streams, or several of one stream in order. */
export const hlsSegmentEvents = z.object({ segments: z.array(hlsSegmentEvent).min(1).max(maxSegmentsPerCall) });
export type HlsSegmentEvents = z.infer<typeof hlsSegmentEvents>;

/** Maximum number of segments in one call. A media server that ignores this value reports one segment per call. */
export const segmentReceipt = z.object({ segmentsPerCall: z.number().int().min(1) });
export type SegmentReceipt = z.infer<typeof segmentReceipt>;
