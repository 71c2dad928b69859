// Attaches the key of a refusal detail to a schema rule. Imports only types of the catalogue, to keep it out of the first load of the
// console.
import type { PlainReasonKey, refusalDetails } from '../refusal-details.ts';

/** The second argument of `refine`: message key and English text. It does not compile if the text differs from the catalogue. */
export function refusedWith<Key extends PlainReasonKey>(reason: Key, message: (typeof refusalDetails)[Key]) {
  return { message, params: { reason } };
}
