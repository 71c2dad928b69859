// Seeded random numbers (xorshift32, Marsaglia 2003). A seed gives equal inputs on every machine.

export interface Random {
  /** An integer from 0 to `below` - 1. */
  below(below: number): number;
  once(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** With equal seeds, different names give different sequences. */
export function createRandom(seed: number, name: string): Random {
  let state = 0x9e3779b9 ^ seed;
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) | 0;
  if (state === 0) state = 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const below = (limit: number): number => next() % Math.max(1, limit);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let at = 0; at < length; at++) bytes[at] = next() & 0xff;
      return bytes;
    },
  };
}
