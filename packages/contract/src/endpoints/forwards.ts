import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxLabelLength, maxNameLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { pushTarget, pushTargetUpdate } from '../models/push-target.ts';
import { pushFigures, workerFailure, workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';

/** `stream`: name of the source stream; empty for the most recently published one. */
export const forwardTarget = pushTarget.extend({ stream: z.string() });
export type ForwardTarget = z.infer<typeof forwardTarget>;

const forwardUpdate = pushTargetUpdate.extend({ stream: z.string().max(maxNameLength).default('') });

export const forwardSecret = defineEndpoint({
  ...paths.forwardSecret,
  tag: 'Forward',
  summary: 'Returns the forward targets by platform; with `action: "update"` saves one target and returns null.',
  request: forwardUpdate,
  response: z.union([nullData, z.record(z.string(), forwardTarget)]),
});

export const forwardRow = z.object({
  platform: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
  /** Stream URL (`app/stream`) of the source; present only while a process runs. */
  stream: z.string().optional(),
  ...workerRun.shape,
  ...workerStatus.shape,
  push: pushFigures.optional(),
  lastError: workerFailure.optional(),
});
export type ForwardRow = z.infer<typeof forwardRow>;

export const forwardStreams = defineEndpoint({
  ...paths.forwardStreams,
  tag: 'Forward',
  summary: 'Returns one status row per forward target, sorted by platform.',
  request: emptyRequest,
  response: z.array(forwardRow),
});

/** An extension: clears a built-in platform too. */
export const removeForward = defineEndpoint({
  ...paths.removeForward,
  tag: 'Forward',
  summary: 'Stops and removes a forward target.',
  request: z.object({ token: z.string().optional(), platform: z.string().min(1).max(maxLabelLength) }),
  response: nullData,
});
