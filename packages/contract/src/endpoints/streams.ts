import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { liveStream, refusal } from '../models/live-stream.ts';
import { paths } from '../paths.ts';

/** Row of the active streams; empty fields are absent. */
export const activeStream = z.object({
  vhost: z.string().optional(),
  app: z.string().optional(),
  stream: z.string().optional(),
  param: z.string().optional(),
  server_id: z.string().optional(),
  client_id: z.string().optional(),
  update: z.string().optional(),
});

export type ActiveStream = z.infer<typeof activeStream>;

export const queryStreams = defineEndpoint({
  ...paths.queryStreams,
  tag: 'Streams',
  summary: 'Lists the streams that are being published now.',
  request: emptyRequest,
  response: z.object({ streams: z.array(activeStream) }),
});

export const kickStream = defineEndpoint({
  ...paths.kickStream,
  tag: 'Streams',
  summary: 'Disconnects the publisher of a stream.',
  request: z.object({
    token: z.string().optional(),
    vhost: z.string().min(1),
    app: z.string().min(1),
    stream: z.string().min(1),
  }),
  response: nullData,
});

export const queryLive = defineEndpoint({
  ...paths.queryLive,
  tag: 'Streams',
  summary: 'Lists live streams with codecs, bitrate and viewers, and recent refusals; optionally of one stream.',
  request: z.object({ token: z.string().optional(), app: z.string().optional(), stream: z.string().optional() }),
  response: z.object({
    /** False while the media server does not respond; the lists are then empty. */
    mediaServer: z.boolean(),
    streams: z.array(liveStream),
    /** Newest first, at most 20. */
    refusals: z.array(refusal),
  }),
});
