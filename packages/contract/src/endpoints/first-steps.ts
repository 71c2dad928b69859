import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

/** Completed steps of a new operator, derived from the state of the server. */
export const firstSteps = z.object({
  password: z.boolean(),
  publish: z.boolean(),
  play: z.boolean(),
  /** The certificate in use is valid and not self-signed. */
  https: z.boolean(),
  /** Recording is or was active. */
  record: z.boolean(),
  forward: z.boolean(),
});
export type FirstSteps = z.infer<typeof firstSteps>;

export const queryFirstSteps = defineEndpoint({
  ...paths.queryFirstSteps,
  tag: 'Management',
  summary: 'Returns which of the first steps are done on this server.',
  request: emptyRequest,
  response: firstSteps,
});
