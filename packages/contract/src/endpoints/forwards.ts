import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxLabelLength, maxNameLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { pushTarget, pushTargetUpdate } from '../models/push-target.ts';
import { workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';

/** `stream`: name of the source stream; empty for the newest one. */
export const forwardTarget = pushTarget.extend({ stream: z.string() });
export type ForwardTarget = z.infer<typeof forwardTarget>;

const forwardUpdate = pushTargetUpdate.extend({ stream: z.string().max(maxNameLength).default('') });

export const forwardSecret = defineEndpoint({
  ...paths.forwardSecret,
  tag: 'Forward',
  summary: 'Forward targets by platform; with `action: "update"` saves one target and answers null.',
  request: forwardUpdate,
  response: z.union([nullData, z.record(z.string(), forwardTarget)]),
});

export const forwardRow = z.object({
  platform: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
  /** Stream URL (`app/stream`) of the source, only while a process runs. */
  stream: z.string().optional(),
  ...workerRun.shape,
  ...workerStatus.shape,
});
export type ForwardRow = z.infer<typeof forwardRow>;

export const forwardStreams = defineEndpoint({
  ...paths.forwardStreams,
  tag: 'Forward',
  summary: 'One status row per forward target, sorted by platform.',
  request: emptyRequest,
  response: z.array(forwardRow),
});

/** Ours: the built-in platforms can be emptied this way too. */
export const removeForward = defineEndpoint({
  ...paths.removeForward,
  tag: 'Forward',
  summary: 'Stops a forward target and forgets it.',
  request: z.object({ token: z.string().optional(), platform: z.string().min(1).max(maxLabelLength) }),
  response: nullData,
});
