// The stored form of a value: JSON, encrypted if the type requires encryption. The revision is a hash of the stored text.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { absent } from './store.ts';
import type { ValueCipher } from './value-cipher.ts';

interface KeptType<T> {
  readonly schema: z.ZodType<T>;
  readonly secret?: boolean;
}

export interface ValueCodec {
  /** Throws if an encrypted text was modified or moved from another place, or if the value does not match the schema. */
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

/** Location of a value in the store. Encryption binds a value to its location. */
export const placeOf = {
  document: (key: string) => `document/${key}`,
  row: (collection: string, id: string) => `row/${collection}/${id}`,
};

/** SHA-1 in hexadecimal, as in the Redis scripts. */
export function revisionOfText(text: string | undefined): string {
  return text === undefined ? absent : createHash('sha1').update(text).digest('hex');
}
