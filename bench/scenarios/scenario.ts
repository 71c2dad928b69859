// A scenario: a load, the servers that support it, and its duration.
import type { Server } from '../conf/servers.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';

/** Settings of a whole run. */
export interface Scale {
  /** Factor for the numbers of viewers and publishers; 1 for published results. */
  readonly load: number;
  /** Longest measuring window, seconds. */
  readonly mostSeconds: number;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly table: string;
  readonly isQuick: boolean;
  /** Whether the scenario runs only when it is named or with --long. */
  readonly isLong?: boolean;
  readonly rounds: number;
  /** Estimated duration of one full run. A run that would exceed the time limit is skipped. */
  readonly estimatedSeconds: number;
  suits(server: Server): boolean;
  /** Starts the server, generates the load, and fills the record of the run. The caller stops the server. */
  run(run: ScenarioRun, scale: Scale): Promise<void>;
}

export function scaled(count: number, { load }: Scale): number {
  return Math.max(1, Math.round(count * load));
}

export function windowSeconds(seconds: number, { mostSeconds }: Scale): number {
  return Math.min(seconds, mostSeconds);
}

/** Whether a server is the product with a longer merge window. Scenarios that do not depend on the merge window skip this server. */
export function isMergeVariant({ name }: Server): boolean {
  return name === 'srs-stack-100ms';
}
