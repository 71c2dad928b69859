// A translatable message as JSON: its key, and the values of its placeholders.
import { z } from 'zod';
import type { WirePhrase } from '../phrases.ts';

export const wirePhrase: z.ZodType<WirePhrase> = z.object({
  key: z.string(),
  values: z.record(z.string(), z.unknown()),
});
