import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

/** What a new operator has already done; the server derives each item from its own state. */
export const firstSteps = z.object({
  /** An admin password is set. */
  password: z.boolean(),
  /** A stream was published at least once since the installation. */
  publish: z.boolean(),
  /** A stream was watched at least once since the installation. */
  play: z.boolean(),
  /** The certificate in use is valid and not self-signed. */
  https: z.boolean(),
  /** Streams are, or were, recorded. */
  record: z.boolean(),
  /** A forward target is set up. */
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
