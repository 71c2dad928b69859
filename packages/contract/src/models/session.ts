// What a successful setup, login or token renewal returns.
import { z } from 'zod';

export const session = z.object({
  /** JWT for the body field `token`. */
  token: z.string(),
  /** RFC 3339 with zone offset. */
  createAt: z.string(),
  expireAt: z.string(),
  /** The API secret, for `Authorization: Bearer`. */
  bearer: z.string(),
});
export type Session = z.infer<typeof session>;
