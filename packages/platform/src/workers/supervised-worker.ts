// Runs one task while the task is enabled, as an FFmpeg process or as a transfer of a gateway. Plans, starts and monitors the task,
// restarts a process with back-off, and stops it reliably.
import {
  type PushMetrics,
  toWirePhrase,
  type WorkerDetail,
  type WorkerFailure,
  type WorkerFrame,
  type WorkerReason,
  type WorkerState,
  type WorkerStatus,
  workerDetail,
} from '@srs-stack/contract';
import { delayMs } from '@srs-stack/process/back-off.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { errorBackOff, retryBackOff } from './back-off.ts';
import { createHeartbeat } from './heartbeat.ts';
import type { Exit, Launch } from './launch.ts';
import { createLogRing } from './log-ring.ts';
import { createMask, type Mask, maskedDetail } from './mask.ts';
import type { EngineTransfers } from './transfers/engine-transfers.ts';
import { type PushFailed, PushRun, type PushSituation } from './transfers/push-run.ts';
import type { WorkerClock } from './worker-clock.ts';
import { explainExit } from './worker-ending.ts';
import type { PlanResult, PushPlan, WorkerPlan } from './worker-plan.ts';
import { createWorkerRun, type WorkerRun } from './worker-run.ts';

export interface WorkerDeps {
  readonly launch: Launch;
  readonly clock: WorkerClock;
  readonly random: () => number;
  readonly log: Log;
  /** Stores the process id, so that the next control plane can end a leftover process. */
  readonly remember: (pid: number) => Promise<void>;
  readonly forget: () => Promise<void>;
  /** Transfers by gateways; undefined if no plan contains a push or pull. */
  readonly transfers?: EngineTransfers;
  readonly program?: string;
}

/** Interval at which the planner of a waiting worker is called, milliseconds. */
export const planIntervalMs = 500;
/** Interval at which `PushPlan.revise` is called, milliseconds. */
const reviseIntervalMs = 5_000;
/** Pause between the end of the input and the next attempt, milliseconds. */
const afterEndMs = 300;
/** Duration of a run that proves that the target works and resets the back-off, milliseconds. */
export const provenRunMs = 30_000;
/** Interval of checks of a running process, milliseconds. */
const checkIntervalMs = 1_000;
/** Grace of a stop request before the kill, milliseconds. */
export const stopGraceMs = 1_500;

export interface WorkerView extends WorkerStatus {
  readonly facts: Readonly<Record<string, unknown>> | undefined;
  readonly frame: WorkerFrame | undefined;
  readonly start: string | undefined;
  readonly ready: string | undefined;
  /** Media time that the process has written, milliseconds; 0 without a process. */
  readonly sentMs: number;
  readonly push: PushMetrics | undefined;
  readonly lastError: WorkerFailure | undefined;
  /** Last log line of the process that is not a progress line; empty without such a line. */
  readonly firstText: string;
}

export interface SupervisedWorker {
  start(): Promise<void>;
  /** Resolves when the process has exited. */
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

/** Waiting reasons that end without the operator. The push order is kept, so that the push continues when the source returns. */
const temporaryReasons: readonly WorkerReason[] = ['source-not-live', 'media-server-away'];

const noFailure = { reason: 'none', detail: undefined, nextAtMs: 0 } as const;

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
  #situation: Situation = { state: 'idle', ...noFailure };
  #cycle: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  #run: WorkerRun | undefined;
  #runPlan: WorkerPlan | undefined;
  #push: { readonly run: PushRun; readonly facts: PushPlan['facts'] } | undefined;
  #launches = 0;
  #failures = 0;
  #lastError: WorkerFailure | undefined;

  constructor(id: string, plan: () => Promise<PlanResult>, deps: WorkerDeps) {
    this.#id = id;
    this.#plan = plan;
    this.#deps = deps;
    this.#ring = createLogRing(() => this.#mask);
  }

  start(): Promise<void> {
    return this.#oneAtATime(async () => {
      const isRestart = this.#cycle !== undefined;
      if (!isRestart) this.#launches = 0;
      if (!isRestart) this.#lastError = undefined;
      await this.#end();
      // The first start keeps the order of an earlier control-plane process. A restart removes the order: the plan may have changed.
      if (isRestart) await this.#deps.transfers?.remove(this.#id);
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
      const isOn = this.#cycle !== undefined;
      await this.#end();
      await this.#deps.transfers?.remove(this.#id);
      if (!isOn) return;
      this.#enter('stopped');
    });
  }

  view(): WorkerView {
    const nowMs = this.#deps.clock.nowMs();
    const { detail } = this.#situation;
    const shown = this.#run ?? (this.#push?.run.isConnected ? this.#push.run : undefined);
    const pausing = this.#situation.state === 'retrying' || this.#situation.state === 'error';
    return {
      state: this.#situation.state,
      reason: this.#situation.reason,
      reasonDetail: detail?.text ?? '',
      ...(detail && { detail: toWirePhrase(detail) }),
      retryInMs: pausing ? Math.max(0, this.#situation.nextAtMs - nowMs) : 0,
      restarts: Math.max(0, this.#launches - 1) + (this.#push?.run.reconnects ?? 0),
      pid: shown?.pid ?? 0,
      ...(shown?.usage(nowMs) ?? { cpuPercent: 0, rssBytes: 0 }),
      command: this.#runPlan ? this.#mask(commandLine(this.#deps.program ?? 'ffmpeg', this.#runPlan.args)) : '',
      heartbeat: this.#heartbeat.ticks(nowMs),
      facts: this.#runPlan?.facts ?? this.#push?.facts,
      frame: shown?.frame(),
      start: shown?.startedAt,
      ready: shown?.readyAt(),
      sentMs: shown?.sentMs() ?? 0,
      push: this.#push?.run.metrics(),
      lastError: this.#lastError,
      firstText: this.#mask(shown?.firstText() ?? ''),
    };
  }

  logs(): string[] {
    return this.#ring.lines();
  }

  #enter(state: WorkerState, part: Partial<Omit<Situation, 'state'>> = {}) {
    const next: Situation = { state, ...noFailure, ...part };
    if (next.state !== this.#situation.state || next.reason !== this.#situation.reason) {
      this.#deps.log.debug({ worker: this.#id, state, reason: next.reason }, 'worker state');
    }
    this.#situation = next;
    this.#heartbeat.note(next, this.#deps.clock.nowMs());
  }

  async #rest(
    state: WorkerState,
    part: { reason: WorkerReason; detail: WorkerDetail },
    ms: number,
    signal: AbortSignal,
  ) {
    const nowMs = this.#deps.clock.nowMs();
    if (state === 'retrying' || state === 'error') this.#noteFailure({ ...part, atMs: nowMs });
    this.#enter(state, { ...part, nextAtMs: nowMs + ms });
    await this.#deps.clock.sleep(ms, signal);
  }

  #noteFailure({ atMs, reason, detail }: PushFailed): void {
    const masked = maskedDetail(detail, this.#mask);
    this.#lastError = {
      ...{ at: new Date(atMs).toISOString(), reason, reasonDetail: masked.text },
      detail: toWirePhrase(masked),
    };
  }

  #askPlan(plan = this.#plan): Promise<PlanResult> {
    return plan().catch((error: unknown) => {
      this.#deps.log.error({ err: error, worker: this.#id }, 'the command of a task cannot be determined');
      return { kind: 'fail', reason: 'failed', detail: workerDetail('internal-error'), needsOperator: false };
    });
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const result = await this.#askPlan();
    if (!signal.aborted) await this.#carryOut(result, signal);
  }

  async #carryOut(result: PlanResult, signal: AbortSignal): Promise<void> {
    if (result.kind === 'wait') return this.#rest('waiting', result, planIntervalMs, signal);
    if (result.kind !== 'push') await this.#deps.transfers?.remove(this.#id);
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
    if (result.kind === 'push') await this.#followPush(result.plan, signal);
    else await this.#supervise(result.plan, signal);
  }

  /** Orders a push or pull and shows its status until the plan changes. The order is kept while the source is not live. */
  async #followPush(first: PushPlan, signal: AbortSignal): Promise<void> {
    const { transfers, clock } = this.#deps;
    if (!transfers)
      throw new Error('this task requires a gateway that pushes and pulls streams, but this server has none');
    const run = new PushRun(this.#ring);
    this.#launches += 1;
    let plan: PlanResult = { kind: 'push', plan: first };
    let reviseAtMs = clock.nowMs() + reviseIntervalMs;
    let instead: PushPlan['instead'];
    while (!signal.aborted && !instead) {
      if (plan.kind === 'push') {
        this.#mask = createMask(plan.plan.secrets);
        this.#push = { run, facts: plan.plan.facts };
        await transfers.put(this.#id, plan.plan.wish);
      } else if (plan.kind !== 'wait' || !temporaryReasons.includes(plan.reason)) break;
      const row = await transfers.row(this.#id);
      if (signal.aborted) break;
      if (row?.fault === 'needs-ffmpeg' && plan.kind === 'push') instead = plan.plan.instead;
      if (instead) break;
      this.#showPush(run.update(row, clock.nowMs()), plan);
      const failed = run.lastFailure(clock.nowMs());
      if (failed) this.#noteFailure(failed);
      await clock.sleep(planIntervalMs, signal);
      // A refused push may have used an old secret, so the task is planned again.
      const isSettled =
        row !== undefined && row.state !== 'waiting' && row.reason !== 'publish-rejected' && plan.kind === 'push';
      if (signal.aborted) break;
      if (!isSettled) plan = await this.#askPlan();
      else if (plan.kind === 'push' && clock.nowMs() >= reviseAtMs) {
        plan = { kind: 'push', plan: await this.#revised(plan.plan, row.state === 'idle') };
        reviseAtMs = clock.nowMs() + reviseIntervalMs;
      }
    }
    this.#push = undefined;
    // If the signal aborted, `stop` or `start` removes the order.
    if (!signal.aborted) await transfers.remove(this.#id);
    if (instead && !signal.aborted) await this.#carryOut(await this.#askPlan(instead), signal);
  }

  /** Keeps the plan while the store is unavailable. */
  async #revised(plan: PushPlan, isIdle: boolean): Promise<PushPlan> {
    const wish = await plan.revise?.(isIdle).catch(() => plan.wish);
    return wish ? { ...plan, wish } : plan;
  }

  #showPush({ retryInMs, ...situation }: PushSituation, plan: PlanResult): void {
    const { reason, detail } = plan.kind === 'wait' ? plan : situation;
    const state = plan.kind === 'wait' ? 'waiting' : situation.state;
    const masked = detail && maskedDetail(detail, this.#mask);
    this.#enter(state, { reason, detail: masked, nextAtMs: this.#deps.clock.nowMs() + retryInMs });
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
        .catch((error) =>
          this.#deps.log.error({ err: error, worker: this.#id }, 'process id of a task could not be stored'),
        );
    const startedMs = this.#deps.clock.nowMs();
    const exit = await this.#watch(current, next, signal);
    this.#run = undefined;
    this.#runPlan = undefined;
    await this.#deps
      .forget()
      .catch((error) =>
        this.#deps.log.error({ err: error, worker: this.#id }, 'stored process id of a task could not be removed'),
      );
    if (!signal.aborted) await this.#afterExit(exit, current, this.#deps.clock.nowMs() - startedMs, signal);
  }

  /** Checks a process periodically. Ends the process on request, or if it makes no progress. Resolves when the process has exited. */
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
      // While the store is unavailable, the last known state of the source is used. A slow check does not delay a stop.
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

/** The command as a shell command line, for display and manual use. */
function commandLine(program: string, args: readonly string[]): string {
  return [program, ...args]
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
