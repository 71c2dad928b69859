// Key material messages (draft-sharabayko-srt-01 §3.2.2): the salt, and the stream keys wrapped with a key made from the
// passphrase.
//
//   |S|V=1|PT=2| signature 0x2029 | resv |KK| KEKI (32) | cipher | auth | SE | resv | resv (16) | SLen/4 | KLen/4 | salt | ICV+keys |
import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { SrtProtocolError } from '../protocol-error.ts';

const signature = 0x2029;
const headerBytes = 16;
const saltBytes = 16;
/** AES key wrap adds 8 bytes, which unwrapping checks (RFC 3394 §2.2.3). */
const wrapOverheadBytes = 8;
const wrapInitialValue = Buffer.alloc(8, 0xa6);
const cipherAesCtr = 2;
const streamEncapsulationMpegTsSrt = 2;
/** PBKDF2 with HMAC-SHA1 over the last 64 bits of the salt (§6.1.4). */
const pbkdf2Iterations = 2048;

export type KeyLength = 16 | 24 | 32;

export interface StreamKeys {
  salt: Buffer;
  keyLength: KeyLength;
  even?: Buffer;
  odd?: Buffer;
}

export const passphraseMinLength = 10;
/** Maximum length of a passphrase; libsrt refuses longer passphrases. */
export const passphraseMaxLength = 79;

function keyEncryptingKey(passphrase: string, salt: Buffer, keyLength: KeyLength): Buffer {
  return pbkdf2Sync(passphrase, salt.subarray(saltBytes - 8), pbkdf2Iterations, keyLength, 'sha1');
}

function wrapCipher(keyLength: KeyLength): string {
  return `id-aes${keyLength * 8}-wrap`;
}

export function generateStreamKeys(keyLength: KeyLength): StreamKeys {
  return { salt: randomBytes(saltBytes), keyLength, even: randomBytes(keyLength) };
}

/** Wraps keys for a KMREQ, the message that transfers them. */
export function writeKeyMaterial(keys: StreamKeys, passphrase: string): Buffer {
  const plain = Buffer.concat([keys.even ?? Buffer.alloc(0), keys.odd ?? Buffer.alloc(0)]);
  const kek = keyEncryptingKey(passphrase, keys.salt, keys.keyLength);
  const wrap = createCipheriv(wrapCipher(keys.keyLength), kek, wrapInitialValue);
  const wrapped = Buffer.concat([wrap.update(plain), wrap.final()]);
  const header = Buffer.alloc(headerBytes);
  header[0] = 0x12;
  header.writeUInt16BE(signature, 1);
  header[3] = (keys.even ? 1 : 0) | (keys.odd ? 2 : 0);
  header[8] = cipherAesCtr;
  header[10] = streamEncapsulationMpegTsSrt;
  header[14] = saltBytes / 4;
  header[15] = keys.keyLength / 4;
  return Buffer.concat([header, keys.salt, wrapped]);
}

/**
 * Unwraps the keys of a KMREQ. Returns undefined for a wrong passphrase, which fails the integrity check of the key wrap. Throws
 * SrtProtocolError for unsupported or malformed messages.
 */
export function parseKeyMaterial(message: Buffer, passphrase: string): StreamKeys | undefined {
  if (message.length < headerBytes + saltBytes) throw new SrtProtocolError('key material too short', message.length);
  if (message[0] !== 0x12 || message.readUInt16BE(1) !== signature)
    throw new SrtProtocolError('not a key material message', 0);
  const keyFlags = message[3]! & 3;
  if (keyFlags === 0) throw new SrtProtocolError('key material without a key', 3);
  if (message[8] !== cipherAesCtr) throw new SrtProtocolError('key material for an unsupported cipher', 8);
  const keyLength = message[15]! * 4;
  if (message[14]! * 4 !== saltBytes || !isKeyLength(keyLength))
    throw new SrtProtocolError('invalid key or salt length', 14);
  const keyCount = keyFlags === 3 ? 2 : 1;
  const salt = message.subarray(headerBytes, headerBytes + saltBytes);
  const wrapped = message.subarray(
    headerBytes + saltBytes,
    headerBytes + saltBytes + keyCount * keyLength + wrapOverheadBytes,
  );
  if (wrapped.length !== keyCount * keyLength + wrapOverheadBytes)
    throw new SrtProtocolError('wrapped key is truncated', message.length);
  const plain = unwrap(wrapped, keyEncryptingKey(passphrase, salt, keyLength), keyLength);
  if (!plain) return undefined;
  const first = plain.subarray(0, keyLength);
  const keys: StreamKeys = { salt: Buffer.from(salt), keyLength };
  if (keyFlags === 3) return { ...keys, even: first, odd: plain.subarray(keyLength) };
  return keyFlags === 1 ? { ...keys, even: first } : { ...keys, odd: first };
}

function unwrap(wrapped: Buffer, kek: Buffer, keyLength: KeyLength): Buffer | undefined {
  const cipher = createDecipheriv(wrapCipher(keyLength), kek, wrapInitialValue);
  try {
    return Buffer.concat([cipher.update(wrapped), cipher.final()]);
  } catch {
    return undefined;
  }
}

function isKeyLength(value: number): value is KeyLength {
  return value === 16 || value === 24 || value === 32;
}

/** Encryption field of a handshake: 2, 3, 4 for AES-128, -192, -256 (§3.2.1, Table 2). */
export function toEncryptionField(keyLength: KeyLength): number {
  return keyLength / 8;
}
