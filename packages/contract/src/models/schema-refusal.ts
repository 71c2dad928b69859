// How a rule of a schema names its reason. Without the catalogue itself, which the console's first load can do without.
import type { PlainReasonKey, refusalDetails } from '../refusal-details.ts';

/** The second argument of `refine`: the key, and its English text, which does not compile when the catalogue has another. */
export function refusedWith<Key extends PlainReasonKey>(reason: Key, message: (typeof refusalDetails)[Key]) {
  return { message, params: { reason } };
}
