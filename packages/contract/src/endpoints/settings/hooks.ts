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
    all: z.boolean(),
    /** Callback URL; '' for none. */
    target: z.string(),
    /** Text that every callback contains; not interpreted by the server. */
    opaque: z.string(),
    /** Base URL for links to recordings, e.g. `https://live.example.com`. */
    host: z.string(),
    /** Last sent body as JSON text with masked secrets; '' before the first callback. */
    req: z.string(),
    /** Last response body with HTTP 200; '' before the first callback. */
    res: z.string(),
    /** Revision of the settings. Send this value with `apply` to detect concurrent changes. */
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
    /** Base URL for links to recordings; '' for the address of this request. */
    host: z.string().max(maxTargetUrlLength).default(''),
    /** If the stored revision differs, the call fails with `settingsChanged`. If absent, nothing is compared. */
    revision: z.number().int().optional(),
  }),
  response: nullData,
});

/** Callback target for tests. Accepts every callback, except with `fail` set to `true` or `1` in the query or body. */
export const hooksExample = defineEndpoint({
  ...paths.hooksExample,
  tag: 'Callbacks',
  summary: 'A callback target for tests: accepts every callback, or refuses it if the request has `?fail=true`.',
  request: z.object({ fail: z.union([z.boolean(), z.number(), z.string()]).optional() }),
  response: nullData,
});

export const hookDelivery = z.object({
  /** `request_id` of the callback. */
  id: z.string(),
  at: z.string(),
  action: z.enum([...hookActions, 'test']),
  /** Target URL without password and secret parameters. */
  target: z.string(),
  /** JSON text with masked secrets. */
  request: z.string(),
  /** HTTP status; absent without a response. */
  status: z.number().int().optional(),
  response: z.string(),
  durationMs: z.number(),
  outcome: z.enum(hookOutcomes),
  problem: z.enum(hookProblems).optional(),
  /** English description; '' if accepted. */
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

/** Tests an unsaved target. The body is that of `on_publish` with the action `test`. */
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
