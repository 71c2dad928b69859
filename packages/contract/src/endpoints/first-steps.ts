import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

/** What a new operator has done already; each is a fact of the server, nothing is ticked by hand. */
export const firstSteps = z.object({
  /** An admin password is set. */
  password: z.boolean(),
  /** A stream was published since the installation. */
  publish: z.boolean(),
  /** Somebody has watched a stream since the installation. */
  play: z.boolean(),
  /** The certificate in use is valid and not self-signed. */
  https: z.boolean(),
  /** Streams are being recorded, or were. */
  record: z.boolean(),
  /** A forward target is set up. */
  forward: z.boolean(),
});
export type FirstSteps = z.infer<typeof firstSteps>;

export const queryFirstSteps = defineEndpoint({
  ...paths.queryFirstSteps,
  tag: 'Management',
  summary: 'Which first steps have been taken on this server.',
  request: emptyRequest,
  response: firstSteps,
});
