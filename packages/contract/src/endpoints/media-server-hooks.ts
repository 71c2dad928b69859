import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { nullData } from '../models/envelope.ts';

/** Callback body of the media server; only the fields the rules use are named. */
export const streamEvent = z.object({
  action: z.enum(['on_connect', 'on_close', 'on_publish', 'on_unpublish', 'on_play', 'on_stop']),
  client_id: z.string().default(''),
  server_id: z.string().default(''),
  ip: z.string().default(''),
  vhost: z.string().default(''),
  app: z.string().default(''),
  stream: z.string().default(''),
  param: z.string().default(''),
});
export type StreamEvent = z.infer<typeof streamEvent>;

export const verifyStream = defineEndpoint({
  path: '/terraform/v1/hooks/srs/verify',
  tag: 'Media server',
  summary: 'Asked by the media server when a publisher or player comes or goes.',
  access: 'media-server',
  request: streamEvent,
  response: nullData,
});

export const hlsSegmentEvent = z.object({
  action: z.literal('on_hls'),
  client_id: z.string().default(''),
  vhost: z.string().default(''),
  app: z.string().default(''),
  stream: z.string().default(''),
  param: z.string().default(''),
  cwd: z.string().default(''),
  /** Relative to `cwd` when not absolute. */
  file: z.string(),
  /** Seconds. */
  duration: z.number(),
  url: z.string().default(''),
  m3u8: z.string().default(''),
  m3u8_url: z.string().default(''),
  seq_no: z.number().int().default(0),
});

export type HlsSegmentEvent = z.infer<typeof hlsSegmentEvent>;

export const hlsSegment = defineEndpoint({
  path: '/terraform/v1/hooks/srs/hls',
  tag: 'Media server',
  summary: 'Told by the media server when an HLS segment is complete.',
  access: 'media-server',
  request: hlsSegmentEvent,
  response: nullData,
});
