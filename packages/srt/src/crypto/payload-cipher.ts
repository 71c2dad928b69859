// Payload encryption with AES in counter mode (draft-sharabayko-srt-01 §6.2.2, §6.3.2). The counter block starts with the first 112 bits of
// the salt, whose bits 80 to 111 are XORed with the packet's sequence number. Then follow 16 zero bits for the block count.
import { createCipheriv } from 'node:crypto';
import { type EncryptionFlag, encryptionFlag } from '../packet/packet-header.ts';
import type { StreamKeys } from './key-material.ts';

export class PayloadCipher {
  #keys: StreamKeys;
  readonly #counter = Buffer.alloc(16);

  constructor(keys: StreamKeys) {
    this.#keys = keys;
  }

  get sendingKey(): EncryptionFlag {
    return this.#keys.even ? encryptionFlag.even : encryptionFlag.odd;
  }

  /** Takes the keys of a refresh. Keys that the refresh does not contain stay valid (§6.1.6). */
  update(keys: StreamKeys): void {
    this.#keys = { ...this.#keys, ...keys };
  }

  /** Encrypts or decrypts, which is the same operation. Returns undefined when the key for this flag is unknown. */
  apply(payload: Buffer, sequence: number, key: number): Buffer | undefined {
    const secret = key === encryptionFlag.even ? this.#keys.even : this.#keys.odd;
    if (!secret) return undefined;
    const counter = this.#counter;
    this.#keys.salt.copy(counter, 0, 0, 14);
    counter.writeUInt16BE(0, 14);
    counter.writeUInt32BE((counter.readUInt32BE(10) ^ sequence) >>> 0, 10);
    return createCipheriv(`aes-${secret.length * 8}-ctr`, secret, counter).update(payload);
  }
}
