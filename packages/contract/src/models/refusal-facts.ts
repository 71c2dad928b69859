// Error of one entry in a list, with the fields of a failed call.
import { z } from 'zod';
import { wirePhrase } from './wire-phrase.ts';

export const refusalFacts = z.object({
  /** English text of the error with its detail. */
  message: z.string(),
  /** Name in the error catalogue (`errors.ts`). */
  name: z.string(),
  reason: wirePhrase.optional(),
});
export type RefusalFacts = z.infer<typeof refusalFacts>;
