// Digests of the "complex" RTMP handshake. Flash players, FFmpeg and some hardware encoders sign C1 and expect a signed response. The
// client selects one of two layouts, and the server must use this layout.
//
//   schema 0:  time(4) version(4) digest block(764) key block(764)
//   schema 1:  time(4) version(4) key block(764)    digest block(764)
//   digest block: offset(4, sum of its bytes mod 728) … digest(32) …
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Length of C1, S1, C2 and S2, bytes. */
export const handshakePartBytes = 1536;
const digestBytes = 32;
/** Start of the digest block in schema 0 and 1, bytes. */
const digestBlockStart = [8, 772] as const;
const digestOffsetRange = 728;

/** Public constants that every implementation shares: a text and 32 fixed bytes. */
const fixedBytes = Buffer.from('f0eec24a8068bee82e00d0d1029e7e576eec5d2d29806fab93b8e636cfeb31ae', 'hex');
const playerName = Buffer.from('Genuine Adobe Flash Player 001', 'latin1');
const serverName = Buffer.from('Genuine Adobe Flash Media Server 001', 'latin1');
const playerKey = Buffer.concat([playerName, fixedBytes]);
const serverKey = Buffer.concat([serverName, fixedBytes]);

export type DigestSchema = 0 | 1;
export type HandshakeSide = 'client' | 'server';

const partKey = { client: playerName, server: serverName } as const;
const responseKey = { client: playerKey, server: serverKey } as const;

function hmac(key: Buffer, ...data: Buffer[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of data) mac.update(part);
  return mac.digest();
}

function digestPosition(part: Buffer, schema: DigestSchema): number {
  const start = digestBlockStart[schema];
  const sum = part[start]! + part[start + 1]! + part[start + 2]! + part[start + 3]!;
  return start + 4 + (sum % digestOffsetRange);
}

function digestOf(part: Buffer, position: number, side: HandshakeSide): Buffer {
  return hmac(partKey[side], part.subarray(0, position), part.subarray(position + digestBytes));
}

/** Returns the schema and digest of a signed C1 or S1; undefined for an unsigned one. */
export function findDigest(part: Buffer, side: HandshakeSide): { schema: DigestSchema; digest: Buffer } | undefined {
  for (const schema of [0, 1] as const) {
    const position = digestPosition(part, schema);
    const digest = part.subarray(position, position + digestBytes);
    if (timingSafeEqual(digest, digestOf(part, position, side))) return { schema, digest };
  }
  return undefined;
}

/** Signs a C1 or S1 in place. */
export function signPart(part: Buffer, schema: DigestSchema, side: HandshakeSide): void {
  const position = digestPosition(part, schema);
  digestOf(part, position, side).copy(part, position);
}

/** Signs a C2 or S2 in place. The last 32 bytes prove that the sender has received `digest`. */
export function signResponse(signed: Buffer, digest: Buffer, side: HandshakeSide): void {
  const key = hmac(responseKey[side], digest);
  const signedBytes = handshakePartBytes - digestBytes;
  hmac(key, signed.subarray(0, signedBytes)).copy(signed, signedBytes);
}

/** Whether the last 32 bytes of a C2 or S2 are a signature for `digest`. */
export function isResponseTo(signed: Buffer, digest: Buffer, side: HandshakeSide): boolean {
  const signedBytes = handshakePartBytes - digestBytes;
  const expected = hmac(hmac(responseKey[side], digest), signed.subarray(0, signedBytes));
  return timingSafeEqual(expected, signed.subarray(signedBytes));
}
