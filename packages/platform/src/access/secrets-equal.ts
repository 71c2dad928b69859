// Compares secrets without telling, by the time it takes, how much of a guess was right or how long the secret is.
import { hash, timingSafeEqual } from 'node:crypto';

export function secretsEqual(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
