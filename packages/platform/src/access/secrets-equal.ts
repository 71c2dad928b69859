// Compares secrets in constant time, so that the duration reveals neither matching characters nor the length.
import { hash, timingSafeEqual } from 'node:crypto';

export function secretsEqual(a: string, b: string): boolean {
  return matchesDigest(a, secretDigest(b));
}

/** The digest of a secret for `matchesDigest`. Computed once for a secret that every call is compared with. */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function matchesDigest(candidate: string, digest: Buffer): boolean {
  return timingSafeEqual(hash('sha256', candidate, 'buffer'), digest);
}
