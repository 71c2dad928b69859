// Converts values between encrypted form and plain text, because each store has a separate key.
import { keyCheck } from '../key-check.ts';
import { isSealed, type ValueCipher } from '../value-cipher.ts';
import { placeOf } from '../value-codec.ts';
import type { StoredText, StorePart } from './store-copy.ts';

/** False for the key check, because every store has a separate key check. */
export function isCopied(part: StorePart, id: string): boolean {
  return part.kind !== 'documents' || id !== keyCheck.key;
}

/** Throws an error with the name of the value if the value cannot be decrypted. */
export function unseal(cipher: ValueCipher, part: StorePart, id: string, kept: string): StoredText {
  if (part.kind === 'log' || !isSealed(kept)) return { id, text: kept, isSecret: false };
  const place = placeIn(part, id);
  try {
    return { id, text: cipher.decrypt(place, kept), isSecret: true };
  } catch (error) {
    throw new Error(`${place} cannot be decrypted`, { cause: error });
  }
}

export function seal(cipher: ValueCipher, part: StorePart, { id, text, isSecret }: StoredText): string {
  return isSecret ? cipher.encrypt(placeIn(part, id), text) : text;
}

function placeIn({ kind, name }: StorePart, id: string): string {
  return kind === 'documents' ? placeOf.document(id) : placeOf.row(name, id);
}
