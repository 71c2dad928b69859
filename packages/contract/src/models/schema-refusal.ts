// Adds the message key of a refusal to a schema rule. Imports only types, to keep the catalogue out of the console's first load.
import type { PlainReasonKey, refusalDetails } from '../refusal-details.ts';

/** Second argument of `refine`: English text and message key. The compiler checks the text against the catalogue. */
export function refusedWith<Key extends PlainReasonKey>(reason: Key, message: (typeof refusalDetails)[Key]) {
  return { message, params: { reason } };
}
