// A known text that is encrypted in every store; only the key of that store decrypts it.
import { AppError } from '@srs-stack/contract';
import { z } from 'zod';
import { absent, type DocumentType, type Store } from './store.ts';
import type { ValueCipher } from './value-cipher.ts';
import { placeOf } from './value-codec.ts';

export const keyCheck: DocumentType<string> = { key: 'key-check', schema: z.string(), empty: '', secret: true };
const keyCheckText = 'srs-stack';

const place = placeOf.document(keyCheck.key);

/** The key check for a store that is the target of a copy. */
export function sealKeyCheck(cipher: ValueCipher): string {
  return cipher.encrypt(place, JSON.stringify(keyCheckText));
}

/** Whether this key encrypted the text. */
export function opensKeyCheck(cipher: ValueCipher, sealed: string): boolean {
  try {
    return JSON.parse(cipher.decrypt(place, sealed)) === keyCheckText;
  } catch {
    return false;
  }
}

/** True if the key fits the store. Writes the key check into a new store. Throws when the store cannot be read. */
export async function hasFittingKey(store: Store): Promise<boolean> {
  try {
    const { value, revision } = await store.read(keyCheck);
    if (revision !== absent) return value === keyCheckText;
    await store.set(keyCheck, keyCheckText, absent);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) return false;
    // Another server created the store at the same time.
    if (error.errorName === 'settingsChanged') return hasFittingKey(store);
    throw error;
  }
}
