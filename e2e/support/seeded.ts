// Pseudo-random values, equal in every run.

/** A linear congruential generator of numbers from 0 to 1. The numbers depend only on `start`. */
export function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
