// Fields that forward and virtual live targets share: where the stream is sent.
import { z } from 'zod';
import { maxLabelLength, maxStreamKeyLength, maxTargetUrlLength } from '../limits.ts';

export const pushTarget = z.object({
  platform: z.string(),
  /** e.g. `rtmp://host/live/`. */
  server: z.string(),
  /** Stream key with its query. */
  secret: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
});
export type PushTarget = z.infer<typeof pushTarget>;

/**
 * Request of a path that both reads (without `action`) and saves (`action: "update"`). Every field is therefore optional, and the server
 * reports missing ones.
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
