// Random values that are the same in every run.

/** A generator of numbers from 0 to 1 that is the same in every run (linear congruential). */
export function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
