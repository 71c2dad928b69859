// Schemas of the envelope fields shared by all calls.
import { z } from 'zod';

/** Requests without fields except an optional session token. */
export const emptyRequest = z.object({ token: z.string().optional() });

/** `data` of calls that return nothing. */
export const nullData = z.null();
