// Response of a successful setup, login or token renewal.
import { z } from 'zod';

export const session = z.object({
  /** JWT for the body field `token`. */
  token: z.string(),
  /** RFC 3339 with offset. */
  createAt: z.string(),
  expireAt: z.string(),
  /** Value for `Authorization: Bearer`; expires with the session. `querySecret` returns another bearer, the API secret. */
  bearer: z.string(),
});
export type Session = z.infer<typeof session>;
