// Workers of all tasks. If several nodes share the tasks, only workers assigned to this node.
import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { TaskLeases } from '../leases/task-leases.ts';
import type { Store, StoreChange } from '../store/store.ts';
import { createLaunch } from '../workers/launch.ts';
import { createSharedWorkers, type SharedWorkers } from '../workers/shared-workers.ts';
import { createWorkerGuard } from '../workers/worker-guard.ts';
import type { PlannedTasks } from '../workers/worker-plan.ts';
import { createWorkerRegistry, type WorkerRegistry, type WorkerRegistryDeps } from '../workers/worker-registry.ts';

/** Interval of comparing workers with enabled tasks, milliseconds: a change may have been missed. */
const followEveryMs = 10_000;

/** Tasks of one kind and their place in the store. */
export interface TaskModule {
  readonly prefix: string;
  /** Name of the collection or document in the store. */
  readonly kept: string;
  wanted(): Promise<PlannedTasks>;
}

export interface TaskWorkers {
  readonly registry: WorkerRegistry;
  /** Ends leftover processes, then starts enabled tasks. In a cluster, applies changes of other nodes until the signal aborts. */
  begin(modules: readonly TaskModule[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface TaskWorkersDeps extends WorkerRegistryDeps {
  readonly store: Store;
  /** Undefined with a single server. */
  readonly shares: TaskLeases | undefined;
}

export function createTaskWorkers(deps: TaskWorkersDeps): TaskWorkers {
  return deps.shares ? createClusterWorkers(deps, deps.shares) : createOwnWorkers(deps);
}

function createOwnWorkers(deps: TaskWorkersDeps): TaskWorkers {
  const registry = createWorkerRegistry(deps);
  return {
    registry,
    async begin(modules) {
      const all = await Promise.all(modules.map((module) => module.wanted()));
      for (const tasks of all) for (const [id, { plan, suits }] of tasks) registry.run(id, plan, suits);
      await registry.open();
    },
    close: () => registry.close(),
  };
}

function createClusterWorkers(deps: TaskWorkersDeps, shares: TaskLeases): TaskWorkers {
  const { store, log, ownerId } = deps;
  const guard = createWorkerGuard(deps.launch ?? createLaunch(ownerId), log);
  shares.onProven((leftMs) => guard.extend(leftMs));
  const local = createWorkerRegistry({ ...deps, launch: guard.launch, isRecording: false });
  const registry = createSharedWorkers({ local, shares, log });
  return {
    registry,
    async begin(modules, signal) {
      const follow = (module: TaskModule) => followModule(registry, module);
      const stop = store.subscribe(async (change) => {
        await Promise.all(modules.filter((module) => isAbout(change, module)).map(follow));
      });
      signal.addEventListener('abort', stop, { once: true });
      await Promise.all(modules.map(follow));
      await registry.open();
      const again = async () => {
        while (!signal.aborted) {
          await sleep(followEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
          // While the store is unavailable, known tasks stay in effect.
          if (!signal.aborted) await Promise.all(modules.map(follow)).catch(() => undefined);
        }
      };
      inBackground(again(), log, 'tasks could not be updated after a change by another node');
    },
    async close() {
      await registry.close();
      guard.close();
    },
  };
}

async function followModule(registry: SharedWorkers, module: TaskModule): Promise<void> {
  registry.follow(module.prefix, await module.wanted());
}

function isAbout(change: StoreChange, { kept }: TaskModule): boolean {
  if (change.kind === 'anything') return true;
  return (change.kind === 'row' ? change.collection : change.key) === kept;
}
