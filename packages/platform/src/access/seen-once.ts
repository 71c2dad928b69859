// Remembers names in a fixed amount of memory: one bit per name. Two names may share a bit, so that a new name can be taken for a known
// one, but never the reverse. Pure except for its random key.
import { hash, randomBytes } from 'node:crypto';

/**
 * Number of bits (128 KB), and so the maximum number of names until `forget`. After ten thousand names, about 1 % of new names count as
 * known.
 */
const seenOnceBits = 2 ** 20;
const keyBytes = 16;

export interface SeenOnce {
  has(name: string): boolean;
  add(name: string): void;
  forget(): void;
}

export function createSeenOnce(): SeenOnce {
  const bits = new Uint8Array(seenOnceBits / 8);
  // Random, so that an attacker cannot choose names that collide with others.
  const key = randomBytes(keyBytes).toString('hex');
  const bitOf = (name: string): number => hash('sha1', key + name, 'buffer').readUInt32LE(0) % seenOnceBits;
  return {
    has(name) {
      const bit = bitOf(name);
      return ((bits[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
    },
    add(name) {
      const bit = bitOf(name);
      bits[bit >> 3] = (bits[bit >> 3] as number) | (1 << (bit & 7));
    },
    forget: () => bits.fill(0),
  };
}
