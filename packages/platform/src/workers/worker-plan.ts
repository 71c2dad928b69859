// The plan of a task, or the reason why nothing is to run. The planners are in `tasks/`.
import type { WorkerDetail, WorkerReason } from '@srs-stack/contract';
import type { ProgramLimits } from '@srs-stack/process/programs/program-limits.ts';
import type { RunLimits } from './run-limits.ts';
import type { PullWish, PushWish } from './transfers/engine-transfers.ts';

/** The process that a worker must run now. */
export interface WorkerPlan {
  readonly args: readonly string[];
  /** Secrets to mask in logs, status and command line. */
  readonly secrets: readonly string[];
  /** Whether the speed is checked: true for live or paced input. */
  readonly watchesSpeed: boolean;
  readonly mayUse: ProgramLimits;
  readonly environment?: Readonly<Record<string, string>>;
  readonly limits?: RunLimits;
  /** Data for the status row, e.g. the source stream. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Whether the source sends. No progress is expected while the source is paused. */
  readonly isSourceLive?: () => boolean | Promise<boolean>;
  /** Whether the source sends video; the output must then contain video. If absent, video is not checked. */
  readonly hasPicture?: () => boolean | Promise<boolean>;
}

/** A stream that a gateway must push or pull for a task, without a process. */
export interface PushPlan {
  readonly wish: PushWish | PullWish;
  readonly secrets: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
  /** Updates the order without a new plan. Called every few seconds. `isIdle`: no transfer is running, so a change interrupts nothing. */
  readonly revise?: (isIdle: boolean) => Promise<PushWish | PullWish>;
  /** Creates the plan for FFmpeg; used when the gateway reports that only FFmpeg can read the source. */
  readonly instead?: () => Promise<PlanResult>;
}

export type PlanResult =
  | { readonly kind: 'run'; readonly plan: WorkerPlan }
  | { readonly kind: 'push'; readonly plan: PushPlan }
  /** Nothing to do yet; the planner is called again soon. */
  | { readonly kind: 'wait'; readonly reason: WorkerReason; readonly detail: WorkerDetail }
  /** The task cannot run. The planner is called again with growing pauses. `needsOperator` is shown as an error. */
  | {
      readonly kind: 'fail';
      readonly reason: WorkerReason;
      readonly detail: WorkerDetail;
      readonly needsOperator: boolean;
    };

/** An enabled task. */
export interface PlannedTask {
  readonly plan: () => Promise<PlanResult>;
  /** Whether this node can run the task now: the required files and the live source are on this node. */
  readonly suits: () => Promise<boolean>;
}

export type PlannedTasks = ReadonlyMap<string, PlannedTask>;
