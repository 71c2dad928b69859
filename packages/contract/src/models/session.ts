// What a successful setup, login or token renewal returns.
import { z } from 'zod';

export const session = z.object({
  /** JWT for the body field `token`. */
  token: z.string(),
  /** RFC 3339 with zone offset. */
  createAt: z.string(),
  expireAt: z.string(),
  /** Of this session, for `Authorization: Bearer`; ends with it. Not the API secret, which a script asks for by `querySecret`. */
  bearer: z.string(),
});
export type Session = z.infer<typeof session>;
