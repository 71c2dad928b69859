import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

const drainState = z.object({
  draining: z.boolean(),
  /** Start of the drain, RFC 3339; '' while not draining. */
  since: z.string(),
  /** Connected publishers and viewers; null while no media server responds. */
  connected: z.object({ publishers: z.number().int(), viewers: z.number().int() }).nullable(),
  tasksRunning: z.number().int(),
});
export type DrainState = z.infer<typeof drainState>;

export const queryDrain = defineEndpoint({
  ...paths.queryDrain,
  tag: 'System',
  summary: 'Returns whether this server is draining, and how many publishers and viewers are still connected.',
  request: emptyRequest,
  response: drainState,
});

export const updateDrain = defineEndpoint({
  ...paths.updateDrain,
  tag: 'System',
  summary:
    'Starts or ends draining before a stop: new publishers are refused with `serverDraining`, and `/readyz` returns 503 immediately; ' +
    'existing connections stay. Draining lasts until it is ended or `npm start` runs again.',
  request: z.object({ token: z.string().optional(), draining: z.boolean() }),
  response: drainState,
});
