// What a task wants to be run, and how its planner answers when there is nothing to run. Planners are in tasks/.
import type { WorkerDetail, WorkerReason } from '@srs-stack/contract';
import type { ProgramLimits } from '@srs-stack/programs';
import type { RunLimits } from './run-limits.ts';

/** What a worker is to run now. */
export interface WorkerPlan {
  readonly args: readonly string[];
  /** Texts that no log, status or command line may show. */
  readonly secrets: readonly string[];
  /** Speed is checked: the input is live or paced. */
  readonly watchesSpeed: boolean;
  /** Memory and files the process may use. */
  readonly mayUse: ProgramLimits;
  /** Variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the operator's own options change of the watch. */
  readonly limits?: RunLimits;
  /** Facts of the run that the status row shows, e.g. the source stream. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** False while the source is known to pause: no progress is then expected. */
  readonly isSourceLive?: () => boolean | Promise<boolean>;
  /** Whether the source sends pictures now: what is written must then have some too. Without it nobody looks. */
  readonly hasPicture?: () => boolean | Promise<boolean>;
}

export type PlanResult =
  | { readonly kind: 'run'; readonly plan: WorkerPlan }
  /** Nothing to do yet; asked again soon. */
  | { readonly kind: 'wait'; readonly reason: WorkerReason; readonly detail: WorkerDetail }
  /** Cannot run; asked again with growing pauses. `needsOperator` shows as an error. */
  | {
      readonly kind: 'fail';
      readonly reason: WorkerReason;
      readonly detail: WorkerDetail;
      readonly needsOperator: boolean;
    };

/** A task that is switched on. */
export interface WantedTask {
  readonly plan: () => Promise<PlanResult>;
  /** Whether this node can do it now: it has the files, and the source is live here. */
  readonly suits: () => Promise<boolean>;
}

export type WantedTasks = ReadonlyMap<string, WantedTask>;
