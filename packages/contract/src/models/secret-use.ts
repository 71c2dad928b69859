// Uses of the publish secret before its replacement: keys of targets that the server updates, and uses that the operator must update.
import { z } from 'zod';
import { otherUseReasons, secretUserKinds } from '../values/secret-uses.ts';

export const secretUse = z.object({
  kind: z.enum(secretUserKinds),
  /** Platform of a target, `app/stream` of a publisher, '' for the transcoder. */
  name: z.string(),
  label: z.string(),
});
export type SecretUse = z.infer<typeof secretUse>;

export const otherSecretUse = secretUse.extend({ reason: z.enum(otherUseReasons) });
export type OtherSecretUse = z.infer<typeof otherSecretUse>;

export const secretUses = z.object({
  /** Targets on this server whose stream key contains the secret as a parameter. */
  follows: z.array(secretUse),
  others: z.array(otherSecretUse),
});
export type SecretUses = z.infer<typeof secretUses>;
