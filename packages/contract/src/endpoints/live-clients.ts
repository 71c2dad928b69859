// Ours: who is connected to a stream, ending one connection, and a small picture of what is sent.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { nullData } from '../models/envelope.ts';
import { liveClient } from '../models/live-client.ts';
import { paths } from '../paths.ts';

/** Most rows of one answer: what a list in a browser can show and a person can search. */
export const maxClientRows = 1_000;

export const queryLiveClients = defineEndpoint({
  ...paths.queryLiveClients,
  tag: 'Streams',
  summary: 'Publisher and viewers of one stream, newest last, at most 1,000.',
  request: z.object({
    token: z.string().optional(),
    /** Id of the stream as `streams/live` tells it. */
    streamId: z.string().min(1),
  }),
  response: z.object({
    clients: z.array(liveClient),
    /** All of them, also those beyond the list. */
    total: z.number().int(),
  }),
});

export const kickLiveClient = defineEndpoint({
  ...paths.kickLiveClient,
  tag: 'Streams',
  summary: 'Disconnects one viewer; it is fine when it has left meanwhile.',
  request: z.object({ token: z.string().optional(), id: z.string().min(1) }),
  response: nullData,
});

export const queryStreamPicture = defineEndpoint({
  ...paths.queryStreamPicture,
  tag: 'Streams',
  summary: 'The newest keyframe of a stream as a small JPEG, made at most every 10 s.',
  request: z.object({ token: z.string().optional(), streamId: z.string().min(1) }),
  response: z.object({
    /** `data:` address of a JPEG, at most 320 pixels wide; null when there is none. */
    picture: z.string().nullable(),
  }),
});
