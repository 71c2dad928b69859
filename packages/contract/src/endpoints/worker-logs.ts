import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxLabelLength } from '../limits.ts';
import { workerKind, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';

export const queryWorkerLogs = defineEndpoint({
  ...paths.queryWorkerLogs,
  tag: 'Workers',
  summary: 'Returns command line, resource usage and last 200 log lines of a worker, with secrets masked.',
  request: z.object({
    token: z.string().optional(),
    kind: workerKind,
    /** '' for the transcoder. */
    platform: z.string().max(maxLabelLength).default(''),
  }),
  response: workerStatus.extend({
    /** Oldest first. */
    logs: z.array(z.string()),
  }),
});
