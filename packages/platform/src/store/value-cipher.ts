// Encrypts values at rest (AES-256-GCM). The place of a value is authenticated: an attacker cannot move a value to another place. The key
// is outside the store, so that a copy of the store reveals no encrypted value.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { StartRefusal, startRefusalOf } from '@srs-stack/process/start-refusal.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const formatMark = 'v1:';

export interface ValueCipher {
  encrypt(place: string, plain: string): string;
  /** Throws if the text was modified, moved from another place, or encrypted with another key. */
  decrypt(place: string, sealed: string): string;
}

/** True if the text is encrypted: JSON never starts with this prefix. */
export function isSealed(text: string): boolean {
  return text.startsWith(formatMark);
}

export function createValueCipher(key: Buffer): ValueCipher {
  return {
    encrypt(place, plain) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return formatMark + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt(place, sealed) {
      if (!isSealed(sealed)) throw new Error('unknown format of an encrypted value');
      const bytes = Buffer.from(sealed.slice(formatMark.length), 'base64');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** Reads the key file, or creates the file with mode 0600. Throws StartRefusal for an invalid key. */
export async function openKeyFile(path: string): Promise<Buffer> {
  const text = await readKeyText(path);
  if (text !== undefined) {
    const key = Buffer.from(text.trim(), 'hex');
    if (key.length === keyBytes) return key;
    throw new StartRefusal(`The key file ${path} is damaged, restore it from a backup`);
  }
  const key = randomBytes(keyBytes);
  try {
    await writeFileAtomically(path, `${key.toString('hex')}\n`, 0o600);
  } catch (error) {
    throw startRefusalOf(`The key file ${path} cannot be written`, error);
  }
  return key;
}

async function readKeyText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw startRefusalOf(`The key file ${path} cannot be read`, error);
  }
}
