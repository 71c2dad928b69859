// A scenario: a load, the servers that support it, and its duration.
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
  /** Table in which it appears. */
  readonly table: string;
  /** Whether a quick run includes it. */
  readonly isQuick: boolean;
  /** Runs only when named, or with --long. */
  readonly isLong?: boolean;
  readonly rounds: number;
  /** Duration of one full run, for the time budget. */
  readonly estimatedSeconds: number;
  suits(server: Server): boolean;
  /** Starts the server, generates the load, fills the run's record. The caller ends the run. */
  run(run: ScenarioRun, scale: Scale): Promise<void>;
}

export function scaled(count: number, { load }: Scale): number {
  return Math.max(1, Math.round(count * load));
}

export function windowSeconds(seconds: number, { mostSeconds }: Scale): number {
  return Math.min(seconds, mostSeconds);
}

/** Whether a server is the product with another merge window. Scenarios whose results do not depend on the window skip this server. */
export function isMergeVariant({ name }: Server): boolean {
  return name === 'srs-stack-100ms';
}
