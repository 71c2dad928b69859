// Schemas of the envelope fields shared by all calls.
import { z } from 'zod';

/** Schema of requests whose only field is an optional session token. */
export const emptyRequest = z.object({ token: z.string().optional() });

/** Schema of `data` in responses without data. */
export const nullData = z.null();
