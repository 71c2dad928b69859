// The stored form of a value: JSON, encrypted where the type requires it, and the revision of that text.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { absent } from './store.ts';
import type { ValueCipher } from './value-cipher.ts';

/** The part of a document's or collection's type that selects its stored form. */
interface KeptType<T> {
  readonly schema: z.ZodType<T>;
  readonly secret?: boolean;
}

export interface ValueCodec {
  /** Throws when the text was modified, moved from another place, or does not match the schema. */
  read<T>(type: KeptType<T>, place: string, text: string): T;
  write<T>(type: KeptType<T>, place: string, value: T): string;
}

export function createValueCodec(cipher: ValueCipher): ValueCodec {
  return {
    read: (type, place, text) => type.schema.parse(JSON.parse(type.secret ? cipher.decrypt(place, text) : text)),
    write: (type, place, value) => {
      const text = JSON.stringify(value);
      return type.secret ? cipher.encrypt(place, text) : text;
    },
  };
}

/** Names the location of a value, which is authenticated with encrypted values. */
export const placeOf = {
  document: (key: string) => `document/${key}`,
  row: (collection: string, id: string) => `row/${collection}/${id}`,
};

/** SHA-1 in hexadecimal, as the Redis scripts compute it. */
export function revisionOfText(text: string | undefined): string {
  return text === undefined ? absent : createHash('sha1').update(text).digest('hex');
}
