// Calls about the clients of a stream, and the preview image of a stream.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { nullData } from '../models/envelope.ts';
import { liveClient } from '../models/live-client.ts';
import { paths } from '../paths.ts';

/** Maximum number of rows in a response. More rows are slow in browsers. */
export const maxClientRows = 1_000;

export const queryLiveClients = defineEndpoint({
  ...paths.queryLiveClients,
  tag: 'Streams',
  summary: 'Lists the publisher and viewers of one stream, newest last, at most 1,000.',
  request: z.object({
    token: z.string().optional(),
    /** Stream id, as returned by `streams/live`. */
    streamId: z.string().min(1),
  }),
  response: z.object({
    clients: z.array(liveClient),
    /** Number of all clients; `clients` may be truncated. */
    total: z.number().int(),
  }),
});

export const kickLiveClient = defineEndpoint({
  ...paths.kickLiveClient,
  tag: 'Streams',
  summary: 'Disconnects one viewer; succeeds too if the viewer has already left.',
  request: z.object({ token: z.string().optional(), id: z.string().min(1) }),
  response: nullData,
});

export const queryStreamPicture = defineEndpoint({
  ...paths.queryStreamPicture,
  tag: 'Streams',
  summary: 'Returns the newest keyframe of a stream as a small JPEG, renewed at most every 10 s.',
  request: z.object({ token: z.string().optional(), streamId: z.string().min(1) }),
  response: z.object({
    /** JPEG as `data:` URL, at most 320 pixels wide; null if unavailable. */
    picture: z.string().nullable(),
  }),
});
