// One FFmpeg task for as long as it is switched on: asks its planner what to run, starts it, watches it, restarts it with
// back-off, and stops it for certain. All tasks of the product run through this one mechanism.
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerFrame, WorkerReason, WorkerState, WorkerStatus } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { ProgramLimits } from '@srs-stack/programs';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { delayMs, errorBackOff, retryBackOff } from './back-off.ts';
import { createHeartbeat } from './heartbeat.ts';
import type { Exit, Launch } from './launch.ts';
import { createLogRing } from './log-ring.ts';
import { createMask, type Mask } from './mask.ts';
import type { RunLimits } from './run-limits.ts';
import { explainExit } from './worker-ending.ts';
import { createWorkerRun, type WorkerRun } from './worker-run.ts';

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
  | { readonly kind: 'wait'; readonly reason: WorkerReason; readonly detail: string }
  /** Cannot run; asked again with growing pauses. `needsOperator` shows as an error. */
  | { readonly kind: 'fail'; readonly reason: WorkerReason; readonly detail: string; readonly needsOperator: boolean };

/** Time as the worker sees it; tests move it by hand. */
export interface WorkerClock {
  nowMs(): number;
  /** Resolves after the time, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: WorkerClock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
};

export interface WorkerDeps {
  readonly launch: Launch;
  readonly clock: WorkerClock;
  readonly random: () => number;
  readonly log: Log;
  /** Remembers the running process for the next control plane. */
  readonly remember: (pid: number) => Promise<void>;
  readonly forget: () => Promise<void>;
  readonly program?: string;
}

/** A waiting worker asks its planner this often, milliseconds. */
export const planIntervalMs = 500;
/** After an input that simply ended, milliseconds. */
const afterEndMs = 300;
/** A run at least this long proves that the target works: the back-off begins anew, milliseconds. */
export const provenRunMs = 30_000;
/** A running process is looked at this often, milliseconds. */
const checkIntervalMs = 1_000;
/** A process asked to stop has this long before it is killed, milliseconds. */
export const stopGraceMs = 1_500;

export interface WorkerView extends WorkerStatus {
  readonly facts: Readonly<Record<string, unknown>> | undefined;
  readonly frame: WorkerFrame | undefined;
  readonly start: string | undefined;
  readonly ready: string | undefined;
  /** Media time the process has written, milliseconds; 0 while none runs. */
  readonly sentMs: number;
  /** First words of the process, before its first progress line. */
  readonly firstText: string;
}

export interface SupervisedWorker {
  /** Runs from now on. When it runs already it is started again with the newest plan. */
  start(): Promise<void>;
  /** Resolves when no process is left. */
  stop(): Promise<void>;
  view(): WorkerView;
  logs(): string[];
}

interface Situation {
  readonly state: WorkerState;
  readonly reason: WorkerReason;
  readonly detail: string;
  readonly nextAtMs: number;
}

const calm = { reason: 'none', detail: '', nextAtMs: 0 } as const;

export function createSupervisedWorker(
  id: string,
  plan: () => Promise<PlanResult>,
  deps: WorkerDeps,
): SupervisedWorker {
  const { clock, random, log } = deps;
  const heartbeat = createHeartbeat();
  const oneAtATime = createOneAtATime();
  let mask: Mask = createMask([]);
  const ring = createLogRing(() => mask);
  let situation: Situation = { state: 'idle', ...calm };
  let cycle: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  let run: WorkerRun | undefined;
  let runPlan: WorkerPlan | undefined;
  let launches = 0;
  let failures = 0;

  const enter = (state: WorkerState, part: Partial<Omit<Situation, 'state'>> = {}) => {
    const next: Situation = { state, ...calm, ...part };
    if (next.state !== situation.state || next.reason !== situation.reason) {
      log.debug({ worker: id, state, reason: next.reason }, 'worker state');
    }
    situation = next;
    heartbeat.note(next, clock.nowMs());
  };

  /** Waits in the given state for the next attempt. */
  const rest = async (
    state: WorkerState,
    part: { reason: WorkerReason; detail: string },
    ms: number,
    signal: AbortSignal,
  ) => {
    enter(state, { ...part, nextAtMs: clock.nowMs() + ms });
    await clock.sleep(ms, signal);
  };

  const askPlan = (): Promise<PlanResult> =>
    plan().catch((error: unknown) => {
      log.error({ err: error, worker: id }, 'worker cannot be planned');
      return { kind: 'fail', reason: 'failed', detail: 'internal error', needsOperator: false };
    });

  const attempt = async (signal: AbortSignal): Promise<void> => {
    const result = await askPlan();
    if (signal.aborted) return;
    if (result.kind === 'wait') return rest('waiting', result, planIntervalMs, signal);
    if (result.kind === 'fail') {
      failures += 1;
      const backOff = result.needsOperator ? errorBackOff : retryBackOff;
      return rest(result.needsOperator ? 'error' : 'retrying', result, delayMs(backOff, failures, random), signal);
    }
    await supervise(result.plan, signal);
  };

  const supervise = async (next: WorkerPlan, signal: AbortSignal): Promise<void> => {
    mask = createMask(next.secrets);
    runPlan = next;
    launches += 1;
    enter('starting');
    const current = createWorkerRun({ plan: next, deps, ring, onReady: () => enter('running') });
    run = current;
    if (current.pid > 0)
      await deps.remember(current.pid).catch((error) => log.error({ err: error, worker: id }, 'worker not recorded'));
    const startedMs = clock.nowMs();
    const exit = await watch(current, next, signal);
    run = undefined;
    runPlan = undefined;
    await deps.forget().catch((error) => log.error({ err: error, worker: id }, 'worker record not removed'));
    if (!signal.aborted) await afterExit(exit, current, clock.nowMs() - startedMs, signal);
  };

  /** Until the process is gone: checks it now and then, ends it when told to or when it makes no progress. */
  const watch = async (current: WorkerRun, next: WorkerPlan, signal: AbortSignal): Promise<Exit> => {
    let exit: Exit | undefined;
    const gone = new AbortController();
    const exited = current.exited.then((value) => {
      exit = value;
      gone.abort();
    });
    const either = AbortSignal.any([signal, gone.signal]);
    while (!exit && !signal.aborted) {
      await clock.sleep(checkIntervalMs, either);
      if (exit || signal.aborted) break;
      const isLive = (await next.isSourceLive?.()) ?? true;
      const hasPicture = (await next.hasPicture?.()) ?? false;
      if (!exit && !signal.aborted) check(current, isLive, hasPicture);
    }
    if (!exit) await endProcess(current, gone.signal);
    await exited;
    return exit as unknown as Exit;
  };

  const check = (current: WorkerRun, isLive: boolean, hasPicture: boolean) => {
    if (!isLive) {
      current.pause();
      if (situation.state === 'running')
        enter('waiting', { reason: 'source-paused', detail: 'the source sends nothing' });
      return;
    }
    if (current.isReady() && situation.state !== 'running') enter('running');
    current.check(hasPicture);
  };

  const endProcess = async (current: WorkerRun, gone: AbortSignal) => {
    current.signal('SIGTERM');
    await clock.sleep(stopGraceMs, gone);
    if (!gone.aborted) current.signal('SIGKILL');
  };

  const afterExit = (exit: Exit, current: WorkerRun, ranMs: number, signal: AbortSignal): Promise<void> => {
    if (ranMs >= provenRunMs) failures = 0;
    const ending = explainExit(exit, current);
    const part = { reason: ending.reason, detail: mask(ending.detail) };
    log.info({ worker: id, ranMs, reason: part.reason, detail: part.detail }, 'worker ended');
    if (ending.kind === 'ended' && current.isReady()) {
      failures = 0;
      return rest('waiting', part, afterEndMs, signal);
    }
    failures += 1;
    const backOff = ending.kind === 'operator' ? errorBackOff : retryBackOff;
    return rest(ending.kind === 'operator' ? 'error' : 'retrying', part, delayMs(backOff, failures, random), signal);
  };

  const end = async () => {
    cycle?.abort.abort();
    await cycle?.ended;
    cycle = undefined;
  };

  return {
    start: () =>
      oneAtATime(async () => {
        if (!cycle) launches = 0;
        await end();
        failures = 0;
        const abort = new AbortController();
        const ended = (async () => {
          while (!abort.signal.aborted) await attempt(abort.signal);
        })();
        cycle = { abort, ended };
      }),
    stop: () =>
      oneAtATime(async () => {
        if (!cycle) return;
        await end();
        enter('stopped');
      }),
    view() {
      const nowMs = clock.nowMs();
      const pausing = situation.state === 'retrying' || situation.state === 'error';
      return {
        state: situation.state,
        reason: situation.reason,
        reasonDetail: situation.detail,
        retryInMs: pausing ? Math.max(0, situation.nextAtMs - nowMs) : 0,
        restarts: Math.max(0, launches - 1),
        pid: run?.pid ?? 0,
        ...(run?.usage(nowMs) ?? { cpuPercent: 0, rssBytes: 0 }),
        command: runPlan ? mask(commandLine(deps.program ?? 'ffmpeg', runPlan.args)) : '',
        heartbeat: heartbeat.ticks(nowMs),
        facts: runPlan?.facts,
        frame: run?.frame(),
        start: run?.startedAt,
        ready: run?.readyAt(),
        sentMs: run?.sentMs() ?? 0,
        firstText: mask(run?.firstText() ?? ''),
      };
    },
    logs: () => ring.lines(),
  };
}

/** As it would be typed into a shell, for people to read and try. */
function commandLine(program: string, args: readonly string[]): string {
  return [program, ...args]
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
