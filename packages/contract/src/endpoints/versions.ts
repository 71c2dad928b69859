import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { paths } from '../paths.ts';

export const queryVersion = defineEndpoint({
  ...paths.queryVersion,
  tag: 'System',
  summary: 'Returns the running version without a leading v; also a readiness probe.',
  request: z.object({}),
  response: z.object({ version: z.string() }),
});
