// Estimates the remaining time of a test run from known durations and the current pace of the machine.

export interface PlannedFile {
  readonly name: string;
  readonly seconds: number;
  /** Number of files that run in parallel in the group of this file. */
  readonly workers: number;
}

export interface RemainingTime {
  done(name: string): void;
  /** Returns the seconds until all files are done. @param elapsedSeconds since the run began. */
  estimate(elapsedSeconds: number): number;
}

/** Share of the work after which the measured pace is used. */
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
