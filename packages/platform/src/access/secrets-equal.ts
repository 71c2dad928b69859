// Compares secrets in constant time. The duration reveals neither matching characters nor the length.
import { hash, timingSafeEqual } from 'node:crypto';

export function secretsEqual(a: string, b: string): boolean {
  return matchesDigest(a, secretDigest(b));
}

/** Digest for `matchesDigest`, computed once for a secret that is compared often. */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function matchesDigest(candidate: string, digest: Buffer): boolean {
  return timingSafeEqual(hash('sha256', candidate, 'buffer'), digest);
}
