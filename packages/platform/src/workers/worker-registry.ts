// All workers by id. Starts and stops workers so that exactly the enabled tasks run.
import { setImmediate } from 'node:timers/promises';
import { workerDetail } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection, Store } from '../store/store.ts';
import { createLaunch, type Launch } from './launch.ts';
import { endLeftovers, type WorkerRecord, workerRecords } from './leftovers.ts';
import { readCommandLine, readProcessFacts } from './proc.ts';
import { createSupervisedWorker, type SupervisedWorker, type WorkerView } from './supervised-worker.ts';
import type { EngineTransfers } from './transfers/engine-transfers.ts';
import { systemClock, type WorkerClock } from './worker-clock.ts';
import type { PlanResult } from './worker-plan.ts';

export interface WorkerRegistry {
  /** Ends leftover processes of an earlier control plane. No worker starts before `open` has resolved. */
  open(): Promise<void>;
  /** Starts the worker, or restarts it with the newest plan. Returns immediately. @param suits whether this node can run the task now. */
  run(id: string, plan: () => Promise<PlanResult>, suits?: () => Promise<boolean>): void;
  /** Plans every enabled worker with this id prefix again. Workers whose component is switched off end their process. */
  refresh(prefix: string): Promise<void>;
  /** Resolves when the process has exited. */
  halt(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  view(id: string): WorkerView;
  logs(id: string): string[];
  close(): Promise<void>;
}

export interface WorkerRegistryDeps {
  readonly store: Store;
  /** Id of the installation. Processes carry it in their environment, so that leftover processes are recognized. */
  readonly ownerId: string;
  readonly log: Log;
  readonly launch?: Launch;
  readonly transfers?: EngineTransfers;
  readonly clock?: WorkerClock;
  readonly random?: () => number;
  /** Whether the component of the worker is switched off. */
  readonly isPaused?: (id: string) => boolean;
  /** Whether running processes are stored. Without storage, only the mark in the environment identifies a process. */
  readonly isRecording?: boolean;
}

export const neverRan: WorkerView = {
  state: 'idle',
  reason: 'none',
  reasonDetail: '',
  retryInMs: 0,
  restarts: 0,
  pid: 0,
  cpuPercent: 0,
  rssBytes: 0,
  command: '',
  heartbeat: [],
  facts: undefined,
  frame: undefined,
  start: undefined,
  ready: undefined,
  sentMs: 0,
  push: undefined,
  lastError: undefined,
  firstText: '',
};

const paused: Promise<PlanResult> = Promise.resolve({
  kind: 'wait',
  reason: 'switched-off',
  detail: workerDetail('switched-off'),
});

export function createWorkerRegistry(deps: WorkerRegistryDeps): WorkerRegistry {
  return new StoredWorkerRegistry(deps);
}

class StoredWorkerRegistry implements WorkerRegistry {
  readonly #deps: WorkerRegistryDeps;
  readonly #random: NonNullable<WorkerRegistryDeps['random']>;
  readonly #clock: NonNullable<WorkerRegistryDeps['clock']>;
  readonly #launch: Launch;
  readonly #records: Collection<WorkerRecord>;
  readonly #workers = new Map<string, { worker: SupervisedWorker; plan: () => Promise<PlanResult> }>();
  readonly #wanted = new Set<string>();
  #isOpen = false;
  #isClosed = false;
  readonly halt = async (id: string) => {
    this.#wanted.delete(id);
    await this.#workers.get(id)?.worker.stop();
  };

  constructor(deps: WorkerRegistryDeps) {
    this.#deps = deps;
    this.#random = deps.random ?? Math.random;
    this.#clock = deps.clock ?? systemClock;
    this.#launch = deps.launch ?? createLaunch(deps.ownerId);
    this.#records = deps.store.collection(workerRecords);
  }

  async open(): Promise<void> {
    const { ownerId, log, isRecording } = this.#deps;
    await endLeftovers({ records: isRecording === false ? undefined : this.#records, ownerId, log });
    await this.#deps.transfers?.keepOnly(this.#wanted);
    this.#isOpen = true;
    if (this.#isClosed) return;
    for (const id of this.#wanted) {
      const entry = this.#workers.get(id);
      if (entry) this.#begin(id, entry.worker);
    }
  }

  run(id: string, plan: () => Promise<PlanResult>): void {
    if (this.#isClosed) return;
    this.#wanted.add(id);
    const worker = this.#workerOf(id, plan);
    if (this.#isOpen) this.#begin(id, worker);
  }

  async refresh(prefix: string): Promise<void> {
    if (!this.#isOpen || this.#isClosed) return;
    const ids = [...this.#wanted].filter((id) => id.startsWith(prefix));
    await Promise.all(ids.map((id) => this.#workers.get(id)?.worker.start()));
  }

  async remove(id: string): Promise<void> {
    await this.halt(id);
    if (!this.#wanted.has(id)) this.#workers.delete(id);
  }

  view(id: string): WorkerView {
    return this.#workers.get(id)?.worker.view() ?? neverRan;
  }

  logs(id: string): string[] {
    return this.#workers.get(id)?.worker.logs() ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers.keys()].map(this.halt));
  }

  async #remember(id: string, pid: number): Promise<void> {
    if (this.#deps.isRecording === false) return;
    const facts = readProcessFacts(pid);
    let command = readCommandLine(pid);
    // The command line is briefly empty during execve(2).
    while (command?.length === 0 && readProcessFacts(pid)?.isZombie === false) {
      await setImmediate();
      command = readCommandLine(pid);
    }
    if (facts && command) await this.#records.put(id, { pid, startTicks: facts.startTicks, command });
  }

  async #forget(id: string): Promise<void> {
    if (this.#deps.isRecording !== false) await this.#records.remove(id);
  }

  #workerOf(id: string, plan: () => Promise<PlanResult>): SupervisedWorker {
    const known = this.#workers.get(id);
    if (known) {
      known.plan = plan;
      return known.worker;
    }
    const entry = { plan, worker: undefined as unknown as SupervisedWorker };
    entry.worker = createSupervisedWorker(id, () => (this.#deps.isPaused?.(id) ? paused : entry.plan()), {
      launch: this.#launch,
      clock: this.#clock,
      random: this.#random,
      log: this.#deps.log,
      ...(this.#deps.transfers && { transfers: this.#deps.transfers }),
      remember: (pid) => this.#remember(id, pid),
      forget: () => this.#forget(id),
    });
    this.#workers.set(id, entry);
    return entry.worker;
  }

  #begin(id: string, worker: SupervisedWorker): void {
    worker.start().catch((error) => this.#deps.log.error({ err: error, worker: id }, 'worker not started'));
  }
}
