// Runs steps with equal keys one after the other, and steps with different keys in parallel.
import { createOneAtATime, type OneAtATime } from './one-at-a-time.ts';

export class Lanes {
  readonly #lanes = new Map<string, { inTurn: OneAtATime; users: number }>();

  async run<T>(key: string, step: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(key) ?? { inTurn: createOneAtATime(), users: 0 };
    this.#lanes.set(key, lane);
    lane.users += 1;
    try {
      return await lane.inTurn(step);
    } finally {
      lane.users -= 1;
      if (lane.users === 0) this.#lanes.delete(key);
    }
  }

  /** Resolves when all steps requested so far have ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ inTurn }) => inTurn(async () => undefined)));
  }
}
