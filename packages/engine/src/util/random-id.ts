import { randomInt } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Returns `length` random characters of [0-9a-z]. SRS uses 8 characters for a client id. */
export function randomId(length: number): string {
  let id = '';
  for (let i = 0; i < length; i++) id += alphabet[randomInt(alphabet.length)];
  return id;
}
