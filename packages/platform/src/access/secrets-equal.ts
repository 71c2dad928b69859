// Compares secrets without telling, by the time it takes, how much of a guess was right or how long the secret is.
import { hash, timingSafeEqual } from 'node:crypto';

export function secretsEqual(a: string, b: string): boolean {
  return matchesDigest(a, secretDigest(b));
}

/** What `matchesDigest` compares with: for a secret that every call is compared with, so that it is hashed once. */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function matchesDigest(candidate: string, digest: Buffer): boolean {
  return timingSafeEqual(hash('sha256', candidate, 'buffer'), digest);
}
