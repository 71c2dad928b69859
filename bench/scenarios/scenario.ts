// What a scenario is: a load, the servers that can take it, and how long it takes.
import type { Server } from '../conf/servers.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';

/** Settings of a whole run. */
export interface Scale {
  /** Share of the viewers and publishers; 1 is the published run. */
  readonly load: number;
  /** Longest measuring window, seconds. */
  readonly mostSeconds: number;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Table that shows it. */
  readonly table: string;
  /** Taken into a quick run? */
  readonly isQuick: boolean;
  /** Only when named or requested with --long. */
  readonly isLong?: boolean;
  readonly rounds: number;
  /** Of one run in full, for the time budget. */
  readonly estimatedSeconds: number;
  suits(server: Server): boolean;
  /** Starts the server, makes the load, fills the run's record. The caller ends the run. */
  run(run: ScenarioRun, scale: Scale): Promise<void>;
}

export function scaled(count: number, { load }: Scale): number {
  return Math.max(1, Math.round(count * load));
}

export function windowSeconds(seconds: number, { mostSeconds }: Scale): number {
  return Math.min(seconds, mostSeconds);
}

/** The product once: scenarios in which the merge window plays no part, beside its peers. */
export function isMergeVariant({ name }: Server): boolean {
  return name === 'srs-stack-100ms';
}
