// How a schema rule names its refusal detail. It does not import the catalogue, which the first load of the console does not need.
import type { PlainReasonKey, refusalDetails } from '../refusal-details.ts';

/** The second argument of `refine`: the key and its English text; it does not compile when the catalogue has another text. */
export function refusedWith<Key extends PlainReasonKey>(reason: Key, message: (typeof refusalDetails)[Key]) {
  return { message, params: { reason } };
}
