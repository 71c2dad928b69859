// Remembers that a name came before, in a fixed amount of memory: one bit per name. Two names may share a bit, so a new
// name can be taken for a known one, never the other way round. Pure but for its random key.
import { hash, randomBytes } from 'node:crypto';

/** Bits, 128 KB: at most so many names pass as new until `forget`; after ten thousand, one new name in a hundred does not. */
const seenOnceBits = 2 ** 20;
const keyBytes = 16;

export interface SeenOnce {
  has(name: string): boolean;
  add(name: string): void;
  forget(): void;
}

export function createSeenOnce(): SeenOnce {
  const bits = new Uint8Array(seenOnceBits / 8);
  // Secret, so that nobody can choose names that take the bit of somebody else.
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
