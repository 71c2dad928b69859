import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxHookDeliveries, maxHookOpaqueLength, maxTargetUrlLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { paths } from '../../paths.ts';
import { hookActions, hookOutcomes, hookProblems } from '../../values/hooks.ts';

export const queryHooks = defineEndpoint({
  ...paths.queryHooks,
  tag: 'Callbacks',
  summary: 'Returns the callback settings, and the last request and response body.',
  request: emptyRequest,
  response: z.object({
    /** Whether callbacks are enabled. */
    all: z.boolean(),
    /** URL that receives the callbacks; empty: none. */
    target: z.string(),
    /** Opaque text that is sent with each callback. */
    opaque: z.string(),
    /** Base URL of links to recordings, e.g. `https://live.example.com`. */
    host: z.string(),
    /** JSON text of the last body sent, secrets masked; '' before the first. */
    req: z.string(),
    /** Body of the last response with HTTP 200; '' before the first. */
    res: z.string(),
    /** Revision of the settings; send it with `apply` to detect a concurrent change. */
    revision: z.number().int(),
  }),
});

export const applyHooks = defineEndpoint({
  ...paths.applyHooks,
  tag: 'Callbacks',
  summary: 'Saves the callback settings; they apply to the next event.',
  request: z.object({
    token: z.string().optional(),
    all: z.boolean().default(false),
    target: z.string().max(maxTargetUrlLength).default(''),
    opaque: z.string().max(maxHookOpaqueLength).default(''),
    /** Base URL of links to recordings; empty: the address of this request. */
    host: z.string().max(maxTargetUrlLength).default(''),
    /** Refused with `settingsChanged` when it is not the stored revision. Absent: not compared. */
    revision: z.number().int().optional(),
  }),
  response: nullData,
});

/** A callback target for tests; accepts everything unless `fail` is `true` or `1`, in the query or the body. */
export const hooksExample = defineEndpoint({
  ...paths.hooksExample,
  tag: 'Callbacks',
  summary: 'A callback target for tests: accepts every callback, or refuses it if the request has `?fail=true`.',
  request: z.object({ fail: z.union([z.boolean(), z.number(), z.string()]).optional() }),
  response: nullData,
});

export const hookDelivery = z.object({
  /** The `request_id` of the body. */
  id: z.string(),
  /** When the callback was sent, RFC 3339. */
  at: z.string(),
  action: z.enum([...hookActions, 'test']),
  /** Target URL, without password and secret parameters. */
  target: z.string(),
  /** JSON text of the body, secrets masked. */
  request: z.string(),
  /** HTTP status; absent without a response. */
  status: z.number().int().optional(),
  /** Beginning of the response body. */
  response: z.string(),
  durationMs: z.number(),
  outcome: z.enum(hookOutcomes),
  problem: z.enum(hookProblems).optional(),
  /** Description in English; '' when accepted. */
  detail: z.string(),
});
export type HookDelivery = z.infer<typeof hookDelivery>;

export const queryHookDeliveries = defineEndpoint({
  ...paths.queryHookDeliveries,
  tag: 'Callbacks',
  summary: 'Lists the last 200 callbacks, newest first, with body, response and duration.',
  request: z.object({
    token: z.string().optional(),
    limit: z.number().int().min(1).max(maxHookDeliveries).default(50),
  }),
  response: z.object({ deliveries: z.array(hookDelivery) }),
});

/** Tests a target before it is saved. The body is that of `on_publish` with action `test`. */
export const testHooks = defineEndpoint({
  ...paths.testHooks,
  tag: 'Callbacks',
  summary: 'Sends one test callback to a target and returns the response; saves nothing.',
  request: z.object({
    token: z.string().optional(),
    target: z.string().min(1).max(maxTargetUrlLength),
    opaque: z.string().max(maxHookOpaqueLength).default(''),
  }),
  response: hookDelivery,
});
