// Who used a publish secret that is replaced: targets whose keys follow the new one, and others that must be given it by hand.
import { z } from 'zod';
import { otherUseReasons, secretUserKinds } from '../values/secret-uses.ts';

export const secretUse = z.object({
  kind: z.enum(secretUserKinds),
  /** Platform of a target, `app/stream` of a publisher, empty for the transcoder. */
  name: z.string(),
  /** What the operator calls it; often empty. */
  label: z.string(),
});
export type SecretUse = z.infer<typeof secretUse>;

export const otherSecretUse = secretUse.extend({ reason: z.enum(otherUseReasons) });
export type OtherSecretUse = z.infer<typeof otherSecretUse>;

export const secretUses = z.object({
  /** Keys that lead to this server and carry the secret as a parameter. */
  follows: z.array(secretUse),
  others: z.array(otherSecretUse),
});
export type SecretUses = z.infer<typeof secretUses>;
