// Uses of a publish secret that is replaced: targets whose keys are updated automatically, and uses that need a manual update.
import { z } from 'zod';
import { otherUseReasons, secretUserKinds } from '../values/secret-uses.ts';

export const secretUse = z.object({
  kind: z.enum(secretUserKinds),
  /** Platform of a target, `app/stream` of a publisher, empty for the transcoder. */
  name: z.string(),
  /** Label set by the operator; may be empty. */
  label: z.string(),
});
export type SecretUse = z.infer<typeof secretUse>;

export const otherSecretUse = secretUse.extend({ reason: z.enum(otherUseReasons) });
export type OtherSecretUse = z.infer<typeof otherSecretUse>;

export const secretUses = z.object({
  /** Stream keys of targets on this server that contain the secret as a parameter. */
  follows: z.array(secretUse),
  others: z.array(otherSecretUse),
});
export type SecretUses = z.infer<typeof secretUses>;
