// Remembers names in fixed memory, one bit per name. Two names may share a bit, so a new name may count as known. A known name never counts
// as new.
import { hash, randomBytes } from 'node:crypto';

/** Number of bits (128 KB). After ten thousand names, about 1 % of new names count as known. */
const seenOnceBits = 2 ** 20;
const keyBytes = 16;

export interface SeenOnce {
  has(name: string): boolean;
  add(name: string): void;
  forget(): void;
}

export function createSeenOnce(): SeenOnce {
  const bits = new Uint8Array(seenOnceBits / 8);
  // Random, so that an attacker cannot choose names with colliding bits.
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
