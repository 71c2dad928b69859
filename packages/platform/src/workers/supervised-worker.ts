// One FFmpeg task for as long as it is switched on: asks its planner what to run, starts it, watches it, restarts it with
// back-off, and stops it for certain. All tasks of the product run through this one mechanism.
import {
  toWirePhrase,
  type WorkerDetail,
  type WorkerFrame,
  type WorkerReason,
  type WorkerState,
  type WorkerStatus,
  workerDetail,
} from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { delayMs, errorBackOff, retryBackOff } from './back-off.ts';
import { createHeartbeat } from './heartbeat.ts';
import type { Exit, Launch } from './launch.ts';
import { createLogRing } from './log-ring.ts';
import { createMask, type Mask, maskedDetail } from './mask.ts';
import type { WorkerClock } from './worker-clock.ts';
import { explainExit } from './worker-ending.ts';
import type { PlanResult, WorkerPlan } from './worker-plan.ts';
import { createWorkerRun, type WorkerRun } from './worker-run.ts';

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
  readonly detail: WorkerDetail | undefined;
  readonly nextAtMs: number;
}

const calm = { reason: 'none', detail: undefined, nextAtMs: 0 } as const;

export function createSupervisedWorker(
  id: string,
  plan: () => Promise<PlanResult>,
  deps: WorkerDeps,
): SupervisedWorker {
  return new FfmpegTask(id, plan, deps);
}

class FfmpegTask implements SupervisedWorker {
  readonly #id: string;
  readonly #plan: () => Promise<PlanResult>;
  readonly #deps: WorkerDeps;
  readonly #heartbeat = createHeartbeat();
  readonly #oneAtATime = createOneAtATime();
  #mask: Mask = createMask([]);
  readonly #ring: ReturnType<typeof createLogRing>;
  #situation: Situation = { state: 'idle', ...calm };
  #cycle: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  #run: WorkerRun | undefined;
  #runPlan: WorkerPlan | undefined;
  #launches = 0;
  #failures = 0;

  constructor(id: string, plan: () => Promise<PlanResult>, deps: WorkerDeps) {
    this.#id = id;
    this.#plan = plan;
    this.#deps = deps;
    this.#ring = createLogRing(() => this.#mask);
  }

  start(): Promise<void> {
    return this.#oneAtATime(async () => {
      if (!this.#cycle) this.#launches = 0;
      await this.#end();
      this.#failures = 0;
      const abort = new AbortController();
      const ended = (async () => {
        while (!abort.signal.aborted) await this.#attempt(abort.signal);
      })();
      this.#cycle = { abort, ended };
    });
  }

  stop(): Promise<void> {
    return this.#oneAtATime(async () => {
      if (!this.#cycle) return;
      await this.#end();
      this.#enter('stopped');
    });
  }

  view(): WorkerView {
    const nowMs = this.#deps.clock.nowMs();
    const { detail } = this.#situation;
    const pausing = this.#situation.state === 'retrying' || this.#situation.state === 'error';
    return {
      state: this.#situation.state,
      reason: this.#situation.reason,
      reasonDetail: detail?.text ?? '',
      ...(detail && { detail: toWirePhrase(detail) }),
      retryInMs: pausing ? Math.max(0, this.#situation.nextAtMs - nowMs) : 0,
      restarts: Math.max(0, this.#launches - 1),
      pid: this.#run?.pid ?? 0,
      ...(this.#run?.usage(nowMs) ?? { cpuPercent: 0, rssBytes: 0 }),
      command: this.#runPlan ? this.#mask(commandLine(this.#deps.program ?? 'ffmpeg', this.#runPlan.args)) : '',
      heartbeat: this.#heartbeat.ticks(nowMs),
      facts: this.#runPlan?.facts,
      frame: this.#run?.frame(),
      start: this.#run?.startedAt,
      ready: this.#run?.readyAt(),
      sentMs: this.#run?.sentMs() ?? 0,
      firstText: this.#mask(this.#run?.firstText() ?? ''),
    };
  }

  logs(): string[] {
    return this.#ring.lines();
  }

  #enter(state: WorkerState, part: Partial<Omit<Situation, 'state'>> = {}) {
    const next: Situation = { state, ...calm, ...part };
    if (next.state !== this.#situation.state || next.reason !== this.#situation.reason) {
      this.#deps.log.debug({ worker: this.#id, state, reason: next.reason }, 'worker state');
    }
    this.#situation = next;
    this.#heartbeat.note(next, this.#deps.clock.nowMs());
  }

  /** Waits in the given state for the next attempt. */
  async #rest(
    state: WorkerState,
    part: { reason: WorkerReason; detail: WorkerDetail },
    ms: number,
    signal: AbortSignal,
  ) {
    this.#enter(state, { ...part, nextAtMs: this.#deps.clock.nowMs() + ms });
    await this.#deps.clock.sleep(ms, signal);
  }

  #askPlan(): Promise<PlanResult> {
    return this.#plan().catch((error: unknown) => {
      this.#deps.log.error({ err: error, worker: this.#id }, 'worker cannot be planned');
      return { kind: 'fail', reason: 'failed', detail: workerDetail('internal-error'), needsOperator: false };
    });
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const result = await this.#askPlan();
    if (signal.aborted) return;
    if (result.kind === 'wait') return this.#rest('waiting', result, planIntervalMs, signal);
    if (result.kind === 'fail') {
      this.#failures += 1;
      const backOff = result.needsOperator ? errorBackOff : retryBackOff;
      return this.#rest(
        result.needsOperator ? 'error' : 'retrying',
        result,
        delayMs(backOff, this.#failures, this.#deps.random),
        signal,
      );
    }
    await this.#supervise(result.plan, signal);
  }

  async #supervise(next: WorkerPlan, signal: AbortSignal): Promise<void> {
    this.#mask = createMask(next.secrets);
    this.#runPlan = next;
    this.#launches += 1;
    this.#enter('starting');
    const current = createWorkerRun({
      plan: next,
      deps: this.#deps,
      ring: this.#ring,
      onReady: () => this.#enter('running'),
    });
    this.#run = current;
    if (current.pid > 0)
      await this.#deps
        .remember(current.pid)
        .catch((error) => this.#deps.log.error({ err: error, worker: this.#id }, 'worker not recorded'));
    const startedMs = this.#deps.clock.nowMs();
    const exit = await this.#watch(current, next, signal);
    this.#run = undefined;
    this.#runPlan = undefined;
    await this.#deps
      .forget()
      .catch((error) => this.#deps.log.error({ err: error, worker: this.#id }, 'worker record not removed'));
    if (!signal.aborted) await this.#afterExit(exit, current, this.#deps.clock.nowMs() - startedMs, signal);
  }

  /** Until the process is gone: checks it now and then, ends it when told to or when it makes no progress. */
  async #watch(current: WorkerRun, next: WorkerPlan, signal: AbortSignal): Promise<Exit> {
    let exit: Exit | undefined;
    const gone = new AbortController();
    const exited = current.exited.then((value) => {
      exit = value;
      gone.abort();
    });
    const either = AbortSignal.any([signal, gone.signal]);
    const ending = new Promise<undefined>((resolve) => {
      either.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    let seen = { isLive: true, hasPicture: false };
    while (!exit && !signal.aborted) {
      await this.#deps.clock.sleep(checkIntervalMs, either);
      if (exit || signal.aborted) break;
      // While nobody can say (the store is away), what was seen last counts: it is no reason to end what runs.
      // A look that takes long holds up no end.
      seen = (await Promise.race([lookAtSource(next).catch(() => seen), ending])) ?? seen;
      if (!exit && !signal.aborted) this.#check(current, seen.isLive, seen.hasPicture);
    }
    if (!exit) await this.#endProcess(current, gone.signal);
    await exited;
    return exit as unknown as Exit;
  }

  #check(current: WorkerRun, isLive: boolean, hasPicture: boolean) {
    if (!isLive) {
      current.pause();
      if (this.#situation.state === 'running')
        this.#enter('waiting', { reason: 'source-paused', detail: workerDetail('source-paused') });
      return;
    }
    if (current.isReady() && this.#situation.state !== 'running') this.#enter('running');
    current.check(hasPicture);
  }

  async #endProcess(current: WorkerRun, gone: AbortSignal) {
    current.signal('SIGTERM');
    await this.#deps.clock.sleep(stopGraceMs, gone);
    if (!gone.aborted) current.signal('SIGKILL');
  }

  #afterExit(exit: Exit, current: WorkerRun, ranMs: number, signal: AbortSignal): Promise<void> {
    if (ranMs >= provenRunMs) this.#failures = 0;
    const ending = explainExit(exit, current);
    const part = { reason: ending.reason, detail: maskedDetail(ending.detail, this.#mask) };
    this.#deps.log.info({ worker: this.#id, ranMs, reason: part.reason, detail: part.detail.text }, 'worker ended');
    if (ending.kind === 'ended' && current.isReady()) {
      this.#failures = 0;
      return this.#rest('waiting', part, afterEndMs, signal);
    }
    this.#failures += 1;
    const backOff = ending.kind === 'operator' ? errorBackOff : retryBackOff;
    return this.#rest(
      ending.kind === 'operator' ? 'error' : 'retrying',
      part,
      delayMs(backOff, this.#failures, this.#deps.random),
      signal,
    );
  }

  async #end() {
    this.#cycle?.abort.abort();
    await this.#cycle?.ended;
    this.#cycle = undefined;
  }
}

async function lookAtSource(plan: WorkerPlan): Promise<{ isLive: boolean; hasPicture: boolean }> {
  return { isLive: (await plan.isSourceLive?.()) ?? true, hasPicture: (await plan.hasPicture?.()) ?? false };
}

/** As it would be typed into a shell, for people to read and try. */
function commandLine(program: string, args: readonly string[]): string {
  return [program, ...args]
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
