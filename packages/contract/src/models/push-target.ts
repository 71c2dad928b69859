import { z } from 'zod';
import { maxLabelLength, maxStreamKeyLength, maxTargetUrlLength } from '../limits.ts';

export const pushTarget = z.object({
  platform: z.string(),
  /** E.g. `rtmp://host/live/`. */
  server: z.string(),
  /** Stream key with its query. */
  secret: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
});
export type PushTarget = z.infer<typeof pushTarget>;

/**
 * Request that reads (without `action`) or saves (`action: "update"`). All fields are optional, because reading needs none; the server
 * reports missing fields.
 */
export const pushTargetUpdate = z.object({
  token: z.string().optional(),
  action: z.string().max(16).optional(),
  platform: z.string().max(maxLabelLength).default(''),
  server: z.string().max(maxTargetUrlLength).default(''),
  secret: z.string().max(maxStreamKeyLength).default(''),
  enabled: z.boolean().default(false),
  custom: z.boolean().default(false),
  label: z.string().max(maxLabelLength).default(''),
});
