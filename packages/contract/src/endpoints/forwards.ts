import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  forwardBitrates,
  maxForwardDelaySeconds,
  maxLabelLength,
  maxNameLength,
  maxPushTargets,
  maxStreamKeyLength,
  maxTargetUrlLength,
} from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { pushTarget, pushTargetUpdate } from '../models/push-target.ts';
import { refusalFacts } from '../models/refusal-facts.ts';
import { wirePhrase } from '../models/wire-phrase.ts';
import { pushMetrics, workerFailure, workerReason, workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';
import { targetTestSends, targetTestStates, targetTestSteps } from '../values/push-tests.ts';

/**
 * - `stream`: source stream; '' for the most recently published stream.
 * - `group`: name of a group of targets that are switched together.
 * - `delaySeconds`: delay of the target; absent for 0.
 * - `encodeKbps`: video bitrate if FFmpeg encodes the stream with constant size and settings; absent if not encoded.
 */
export const forwardTarget = pushTarget.extend({
  stream: z.string(),
  group: z.string().optional(),
  delaySeconds: z.number().optional(),
  encodeKbps: z.number().optional(),
});
export type ForwardTarget = z.infer<typeof forwardTarget>;

/** Older clients do not send `group`, `delaySeconds` and `encodeKbps`. If a field is absent, the stored value is kept. */
const forwardUpdate = pushTargetUpdate.extend({
  stream: z.string().max(maxNameLength).default(''),
  group: z.string().max(maxLabelLength).optional(),
  delaySeconds: z.number().int().min(0).max(maxForwardDelaySeconds).optional(),
  /** 0: not encoded. */
  encodeKbps: z
    .int()
    .max(forwardBitrates.max)
    .refine((kbps) => kbps === 0 || kbps >= forwardBitrates.min, `0, or at least ${forwardBitrates.min} kbps`)
    .optional(),
});

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
  /** Source stream, `app/stream`; absent while neither FFmpeg nor a push of the media server runs. */
  stream: z.string().optional(),
  ...workerRun.shape,
  ...workerStatus.shape,
  push: pushMetrics.optional(),
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

/** Clears the settings of a built-in platform, or deletes an added target. */
export const removeForward = defineEndpoint({
  ...paths.removeForward,
  tag: 'Forward',
  summary: 'Stops and removes a forward target.',
  request: z.object({ token: z.string().optional(), platform: z.string().min(1).max(maxLabelLength) }),
  response: nullData,
});

export const switchForwards = defineEndpoint({
  ...paths.switchForwards,
  tag: 'Forward',
  summary: 'Starts or stops all forward targets, or those of one group.',
  request: z.object({
    token: z.string().optional(),
    enabled: z.boolean(),
    group: z.string().min(1).max(maxLabelLength).optional(),
  }),
  /** Number of targets that were started or stopped. */
  response: z.object({ changed: z.number().int() }),
});

/** Lengths are not limited here, because the server reports errors per row. */
const forwardListRow = z.object({
  label: z.string().default(''),
  server: z.string().default(''),
  secret: z.string().default(''),
  stream: z.string().default(''),
  group: z.string().default(''),
});
export type ForwardListRow = z.infer<typeof forwardListRow>;

export const importForwards = defineEndpoint({
  ...paths.importForwards,
  tag: 'Forward',
  summary: 'Checks a list of forward targets; with `preview: false` adds them, switched off, if all of them are valid.',
  request: z.object({
    token: z.string().optional(),
    targets: z.array(forwardListRow).min(1).max(maxPushTargets),
    preview: z.boolean().default(true),
  }),
  response: z.object({
    /** Result of each row, in request order; accepted rows have no `error`. */
    rows: z.array(z.object({ error: refusalFacts.optional() })),
    added: z.number().int(),
  }),
});
export type ForwardImport = z.infer<typeof importForwards.response>;

/**
 * `sends`: test data that the target receives; the default never affects a broadcast. `stream`: stream whose codec is compared; '' for the
 * newest stream.
 */
const targetTestRequest = z.object({
  token: z.string().optional(),
  server: z.string().min(1).max(maxTargetUrlLength),
  secret: z.string().max(maxStreamKeyLength).default(''),
  stream: z.string().max(maxNameLength).default(''),
  sends: z.enum(targetTestSends).default('nothing'),
});
export type TargetTestRequest = Omit<z.infer<typeof targetTestRequest>, 'token'>;

export const startForwardTest = defineEndpoint({
  ...paths.startForwardTest,
  tag: 'Forward',
  summary:
    'Starts a test of a target: resolves the name, connects, and publishes two seconds of black video on request.',
  request: targetTestRequest,
  /** `sends` is `nothing` while a forward uses this server and key. */
  response: z.object({ id: z.string(), sends: z.enum(targetTestSends) }),
});

const targetTest = z.object({
  isDone: z.boolean(),
  steps: z.array(
    z.object({
      step: z.enum(targetTestSteps),
      state: z.enum(targetTestStates),
      ms: z.number(),
      reason: workerReason.optional(),
      reasonDetail: z.string().optional(),
      detail: wirePhrase.optional(),
    }),
  ),
});
export type TargetTest = z.infer<typeof targetTest>;

export const queryForwardTest = defineEndpoint({
  ...paths.queryForwardTest,
  tag: 'Forward',
  summary: 'Returns the steps of a test of a target so far, with the reason of the one that failed.',
  request: z.object({ token: z.string().optional(), id: z.string().max(maxNameLength) }),
  response: targetTest,
});
