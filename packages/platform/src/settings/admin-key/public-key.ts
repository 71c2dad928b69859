// An OpenSSH public key as text (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4): parsing, formatting, comparison. Pure.
import { createHash } from 'node:crypto';
import { AppError, because, minRsaKeyBits, type RefusalDetail } from '@srs-stack/contract';

const keyTypes = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const;
const ed25519Bytes = 32;
const commentPattern = /^[\p{L}\p{N} .,:;@_+/()-]{0,128}$/u;

export interface PublicKey {
  readonly type: string;
  /** The key in Base64; equal keys have equal values. */
  readonly blob: string;
  readonly comment: string;
  /** Fingerprint as printed by `ssh-keygen -l`. */
  readonly fingerprint: string;
}

/** Parses `type base64 comment`. Throws `publicKeyInvalid`, also for key options and private keys. */
export function parsePublicKey(text: string): PublicKey {
  const line = text.trim();
  if (/PRIVATE KEY/.test(line)) throw refuse(because('ssh-key.private'));
  if (/[\r\n]/.test(line)) throw refuse(because('ssh-key.lines'));
  const [type = '', blob = '', ...rest] = line.split(/ +/);
  if (!keyTypes.some((known) => known === type))
    throw refuse(because('ssh-key.type', { types: keyTypes.slice(0, 3).join(', ') }));
  const bytes = Buffer.from(blob, 'base64');
  const fields = readFields(bytes);
  if (bytes.toString('base64') !== blob || fields?.[0]?.toString('latin1') !== type)
    throw refuse(because('ssh-key.damaged'));
  checkMaterial(type, fields ?? []);
  const comment = rest.join(' ');
  if (!commentPattern.test(comment)) throw refuse(because('ssh-key.comment'));
  return { type, blob, comment, fingerprint: fingerprintOf(bytes) };
}

/** Formats the key as a line of an authorized-keys file. */
export function toLine({ type, blob, comment }: PublicKey): string {
  return [type, blob, comment].filter(Boolean).join(' ');
}

/** True if a line of an authorized-keys file contains the key. Ignores key options. */
export function lineHasKey(line: string, { blob }: PublicKey): boolean {
  return !isComment(line) && line.split(/[ \t]+/).includes(blob);
}

export function isComment(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

function checkMaterial(type: string, fields: readonly Buffer[]): void {
  if (type === 'ssh-ed25519' && fields[1]?.length !== ed25519Bytes) throw refuse(because('ssh-key.damaged'));
  if (type === 'ssh-rsa') {
    const bits = bitLength(fields[2]);
    if (bits < minRsaKeyBits) throw refuse(because('ssh-key.too-short', { minimum: minRsaKeyBits, bits }));
  }
  if (fields.length < 2) throw refuse(because('ssh-key.damaged'));
}

function bitLength(number: Buffer | undefined): number {
  return number && number.length > 0 ? BigInt(`0x${number.toString('hex')}`).toString(2).length : 0;
}

/** Strings with a four-byte length prefix. Undefined if the strings do not fill the buffer exactly. */
function readFields(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (at + 4 + length > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return at === bytes.length && fields.length > 0 ? fields : undefined;
}

function fingerprintOf(bytes: Buffer): string {
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`;
}

function refuse(detail: RefusalDetail): AppError {
  return new AppError('publicKeyInvalid', detail);
}
