// Response of a successful setup, login or token renewal.
import { z } from 'zod';

export const session = z.object({
  /** JWT for the body field `token`. */
  token: z.string(),
  /** RFC 3339 with zone offset. */
  createAt: z.string(),
  expireAt: z.string(),
  /**
   * The bearer of this session for `Authorization: Bearer`; it expires with the session. The API secret is another bearer, which
   * `querySecret` returns.
   */
  bearer: z.string(),
});
export type Session = z.infer<typeof session>;
