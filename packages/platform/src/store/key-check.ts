// A known text, encrypted in every store. Only the key of the store can decrypt the text, so a wrong key is detected.
import { AppError } from '@srs-stack/contract';
import { z } from 'zod';
import { absent, type DocumentType, type Store } from './store.ts';
import type { ValueCipher } from './value-cipher.ts';
import { placeOf } from './value-codec.ts';

export const keyCheck: DocumentType<string> = { key: 'key-check', schema: z.string(), empty: '', secret: true };
const keyCheckText = 'srs-stack';

const place = placeOf.document(keyCheck.key);

/** Encrypts the key check for the target of a copy. */
export function sealKeyCheck(cipher: ValueCipher): string {
  return cipher.encrypt(place, JSON.stringify(keyCheckText));
}

/** Whether the key of this cipher encrypted the text. */
export function opensKeyCheck(cipher: ValueCipher, sealed: string): boolean {
  try {
    return JSON.parse(cipher.decrypt(place, sealed)) === keyCheckText;
  } catch {
    return false;
  }
}

/** True if the key fits the store. A new store gets the key check. Throws if the store cannot be read. */
export async function hasFittingKey(store: Store): Promise<boolean> {
  try {
    const { value, revision } = await store.read(keyCheck);
    if (revision !== absent) return value === keyCheckText;
    await store.set(keyCheck, keyCheckText, absent);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) return false;
    // Another server has just created the store.
    if (error.errorName === 'settingsChanged') return hasFittingKey(store);
    throw error;
  }
}
