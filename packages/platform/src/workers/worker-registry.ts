// All workers of the product by id. Makes what runs equal to what is wanted, at boot and after every change.
import { workerDetail } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Store } from '../store/store.ts';
import { createLaunch, type Launch } from './launch.ts';
import { endLeftovers, workerRecords } from './leftovers.ts';
import { readCommandLine, readProcessFacts } from './proc.ts';
import {
  createSupervisedWorker,
  type PlanResult,
  type SupervisedWorker,
  systemClock,
  type WorkerClock,
  type WorkerView,
} from './supervised-worker.ts';

export interface WorkerRegistry {
  /** Ends what an earlier control plane left behind; nothing starts before. */
  open(): Promise<void>;
  /** Starts the worker, or starts it again with the newest plan; returns at once. */
  run(id: string, plan: () => Promise<PlanResult>): void;
  /** Plans anew every worker that is switched on and whose id begins so; what is paused then ends its process. */
  refresh(prefix: string): Promise<void>;
  /** Resolves when its process is gone. */
  halt(id: string): Promise<void>;
  /** Halts and forgets it. */
  remove(id: string): Promise<void>;
  view(id: string): WorkerView;
  logs(id: string): string[];
  /** Halts all; no worker starts any more. */
  close(): Promise<void>;
}

export interface WorkerRegistryDeps {
  readonly store: Store;
  /** Id of the installation: marks our processes. */
  readonly ownerId: string;
  readonly log: Log;
  readonly launch?: Launch;
  readonly clock?: WorkerClock;
  readonly random?: () => number;
  /** Whether this kind of work is switched off for now. */
  readonly isPaused?: (id: string) => boolean;
}

const neverRan: WorkerView = {
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
  firstText: '',
};

const paused: Promise<PlanResult> = Promise.resolve({
  kind: 'wait',
  reason: 'switched-off',
  detail: workerDetail('switched-off'),
});

export function createWorkerRegistry(deps: WorkerRegistryDeps): WorkerRegistry {
  const { store, ownerId, log, clock = systemClock, random = Math.random } = deps;
  const launch = deps.launch ?? createLaunch(ownerId);
  const records = store.collection(workerRecords);
  const workers = new Map<string, { worker: SupervisedWorker; plan: () => Promise<PlanResult> }>();
  const wanted = new Set<string>();
  let isOpen = false;
  let isClosed = false;

  const remember = async (id: string, pid: number) => {
    const facts = readProcessFacts(pid);
    const command = readCommandLine(pid);
    if (facts && command) await records.put(id, { pid, startTicks: facts.startTicks, command });
  };

  const workerOf = (id: string, plan: () => Promise<PlanResult>): SupervisedWorker => {
    const known = workers.get(id);
    if (known) {
      known.plan = plan;
      return known.worker;
    }
    const entry = { plan, worker: undefined as unknown as SupervisedWorker };
    entry.worker = createSupervisedWorker(id, () => (deps.isPaused?.(id) ? paused : entry.plan()), {
      launch,
      clock,
      random,
      log,
      remember: (pid) => remember(id, pid),
      forget: async () => {
        await records.remove(id);
      },
    });
    workers.set(id, entry);
    return entry.worker;
  };

  const begin = (id: string, worker: SupervisedWorker) => {
    worker.start().catch((error) => log.error({ err: error, worker: id }, 'worker not started'));
  };

  const halt = async (id: string) => {
    wanted.delete(id);
    await workers.get(id)?.worker.stop();
  };

  return {
    async open() {
      await endLeftovers({ records, ownerId, log });
      isOpen = true;
      if (isClosed) return;
      for (const id of wanted) {
        const entry = workers.get(id);
        if (entry) begin(id, entry.worker);
      }
    },
    run(id, plan) {
      if (isClosed) return;
      wanted.add(id);
      const worker = workerOf(id, plan);
      if (isOpen) begin(id, worker);
    },
    async refresh(prefix) {
      if (!isOpen || isClosed) return;
      const ids = [...wanted].filter((id) => id.startsWith(prefix));
      await Promise.all(ids.map((id) => workers.get(id)?.worker.start()));
    },
    halt,
    async remove(id) {
      await halt(id);
      if (!wanted.has(id)) workers.delete(id);
    },
    view: (id) => workers.get(id)?.worker.view() ?? neverRan,
    logs: (id) => workers.get(id)?.worker.logs() ?? [],
    async close() {
      isClosed = true;
      await Promise.all([...workers.keys()].map(halt));
    },
  };
}
