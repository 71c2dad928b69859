import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

const drainState = z.object({
  draining: z.boolean(),
  /** Since when, RFC 3339; empty while it is not drained. */
  since: z.string(),
  /** Who is still connected to this server; null while no media server answers. */
  connected: z.object({ publishers: z.number().int(), viewers: z.number().int() }).nullable(),
  /** Tasks that run on this server: forward, virtual live, transcode. */
  tasksRunning: z.number().int(),
});
export type DrainState = z.infer<typeof drainState>;

export const queryDrain = defineEndpoint({
  ...paths.queryDrain,
  tag: 'System',
  summary: 'Whether this server is being drained, and who is still connected to it.',
  request: emptyRequest,
  response: drainState,
});

export const updateDrain = defineEndpoint({
  ...paths.updateDrain,
  tag: 'System',
  summary:
    'Drains this server before a stop, or ends that: new publishers are refused with `serverDraining` and `/readyz` answers 503 at once; ' +
    'whoever is connected stays. It lasts until it is undone or `npm start` is run again.',
  request: z.object({ token: z.string().optional(), draining: z.boolean() }),
  response: drainState,
});
