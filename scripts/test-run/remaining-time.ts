// Estimates how long a run of tests still takes: what its files are known to need, at the pace of this machine today.

export interface PlannedFile {
  readonly name: string;
  /** Known from earlier runs. */
  readonly seconds: number;
  /** Files that run at a time in its group. */
  readonly workers: number;
}

export interface RemainingTime {
  done(name: string): void;
  /** Seconds until all are done. @param elapsedSeconds since the run began. */
  estimate(elapsedSeconds: number): number;
}

/** Until this share of the work is done the pace is not believed. */
const trustedShare = 0.05;

export function createRemainingTime(plan: readonly PlannedFile[]): RemainingTime {
  const shares = new Map(plan.map(({ name, seconds, workers }) => [name, seconds / workers]));
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0);
  let left = total;
  return {
    done(name) {
      left -= shares.get(name) ?? 0;
      shares.delete(name);
    },
    estimate(elapsedSeconds) {
      const finished = total - left;
      const pace = finished > total * trustedShare ? elapsedSeconds / finished : 1;
      return Math.max(0, left * pace);
    },
  };
}
