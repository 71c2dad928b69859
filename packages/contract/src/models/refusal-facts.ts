// Why one entry of a list is refused, in the form of a failed call.
import { z } from 'zod';
import { wirePhrase } from './wire-phrase.ts';

export const refusalFacts = z.object({
  /** English text of the error and its detail. */
  message: z.string(),
  /** Name of the error in the catalogue (`errors.ts`). */
  name: z.string(),
  reason: wirePhrase.optional(),
});
export type RefusalFacts = z.infer<typeof refusalFacts>;
