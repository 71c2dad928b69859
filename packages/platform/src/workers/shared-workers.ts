// Workers of several nodes that share tasks. A task is enabled on all nodes, but runs on the node that holds its lease.
// `worker-registry.ts` runs the tasks of this node; for other tasks this module reports the states that other nodes publish.
import { workerDetail } from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { TaskLeases } from '../leases/task-leases.ts';
import type { WorkerView } from './supervised-worker.ts';
import type { PlannedTask, PlannedTasks, PlanResult } from './worker-plan.ts';
import { neverRan, type WorkerRegistry } from './worker-registry.ts';

export interface SharedWorkers extends WorkerRegistry {
  /** Sets the enabled tasks whose id has this prefix, after a change by any node. Tasks that run already continue. */
  follow(prefix: string, tasks: PlannedTasks): void;
}

/** Number of log lines that a node shares with other nodes. */
const sharedLines = 50;
/** Maximum length of a shared log line, characters. */
const sharedLineLength = 300;

interface SharedStatus {
  readonly view: WorkerView;
  readonly logs: string[];
}

const always = () => Promise.resolve(true);
const isElsewhere: PlanResult = { kind: 'wait', reason: 'no-server', detail: workerDetail('no-server') };
const noServer: WorkerView = {
  ...neverRan,
  state: 'waiting',
  reason: 'no-server',
  reasonDetail: isElsewhere.detail.text,
};

export interface SharedWorkersDeps {
  readonly local: WorkerRegistry;
  readonly shares: TaskLeases;
  readonly log: Log;
}

export function createSharedWorkers(deps: SharedWorkersDeps): SharedWorkers {
  return new ClusterWorkers(deps);
}

class ClusterWorkers implements SharedWorkers {
  readonly #deps: SharedWorkersDeps;
  readonly #wanted = new Map<string, PlannedTask>();
  #isOpen = false;

  constructor(deps: SharedWorkersDeps) {
    this.#deps = deps;
  }

  async open(): Promise<void> {
    await this.#deps.local.open();
    this.#isOpen = true;
    for (const id of this.#wanted.keys()) this.#want(id);
  }

  run(id: string, plan: PlannedTask['plan'], suits: PlannedTask['suits'] = always): void {
    const { shares, log } = this.#deps;
    const isNew = this.#note(id, plan, suits);
    if (!this.#isOpen) return;
    if (isNew) this.#want(id);
    if (shares.isHeld(id)) this.#begin(id);
    // If no node runs the task, no notification is needed. The next node that takes the task reads the current settings.
    else if (shares.nodeOf(id) !== undefined)
      inBackground(shares.requestRestart(id), log, 'the node that runs a task could not be notified of its change');
  }

  follow(prefix: string, tasks: PlannedTasks): void {
    for (const [id, { plan, suits }] of tasks) if (this.#note(id, plan, suits) && this.#isOpen) this.#want(id);
    for (const id of [...this.#wanted.keys()].filter((each) => each.startsWith(prefix) && !tasks.has(each))) {
      this.#wanted.delete(id);
      inBackground(this.#leave(id), this.#deps.log, 'a task could not be stopped');
    }
  }

  refresh(prefix: string): Promise<void> {
    return this.#deps.local.refresh(prefix);
  }

  async halt(id: string): Promise<void> {
    this.#wanted.delete(id);
    await this.#deps.shares.unwant(id, true);
  }

  async remove(id: string): Promise<void> {
    await this.halt(id);
    if (!this.#wanted.has(id)) await this.#deps.local.remove(id);
  }

  view(id: string): WorkerView {
    const { local, shares } = this.#deps;
    if (!this.#wanted.has(id) || shares.isHeld(id)) return local.view(id);
    return this.#shared(id)?.view ?? noServer;
  }

  logs(id: string): string[] {
    const { local, shares } = this.#deps;
    return shares.isHeld(id) ? local.logs(id) : (this.#shared(id)?.logs ?? local.logs(id));
  }

  async close(): Promise<void> {
    await this.#deps.shares.close();
    await this.#deps.local.close();
  }

  /** Records an enabled task; true for a new task. */
  #note(id: string, plan: PlannedTask['plan'], suits: PlannedTask['suits']): boolean {
    const isNew = !this.#wanted.has(id);
    this.#wanted.set(id, { plan, suits });
    return isNew;
  }

  #want(id: string): void {
    const { local, shares } = this.#deps;
    shares.want(id, {
      begin: () => this.#begin(id),
      beginAnew: () => this.#begin(id),
      end: () => local.halt(id),
      status: () => this.#tell(id),
      isIdle: () => local.view(id).pid === 0,
      suits: async () => (await this.#wanted.get(id)?.suits()) ?? false,
    });
  }

  #begin(id: string): void {
    this.#deps.local.run(id, () => this.#plan(id));
  }

  /** Plans the task. Right before a process starts, the lease is checked in the store. */
  async #plan(id: string): Promise<PlanResult> {
    const wanted = this.#wanted.get(id);
    const result = wanted ? await wanted.plan() : isElsewhere;
    if (result.kind !== 'run') return result;
    return (await this.#deps.shares.confirm(id)) ? result : isElsewhere;
  }

  async #leave(id: string): Promise<void> {
    await this.#deps.shares.unwant(id, false);
    if (!this.#wanted.has(id)) await this.#deps.local.remove(id);
  }

  #tell(id: string): string {
    const { local } = this.#deps;
    const logs = local.logs(id).slice(-sharedLines);
    return JSON.stringify({
      view: local.view(id),
      logs: logs.map((line) => line.slice(0, sharedLineLength)),
    } satisfies SharedStatus);
  }

  #shared(id: string): SharedStatus | undefined {
    const { shares } = this.#deps;
    const text = shares.nodeOf(id) === undefined ? undefined : shares.statusOf(id);
    if (text === undefined) return undefined;
    // A node with another release may omit fields. Omitted fields get the values of a task that never ran.
    const { view, logs } = JSON.parse(text) as Partial<SharedStatus>;
    return { view: { ...neverRan, ...view }, logs: logs ?? [] };
  }
}
