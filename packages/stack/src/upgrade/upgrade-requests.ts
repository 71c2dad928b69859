// Receives requests of the control plane, and runs one worker at a time for them. A prepared release becomes the next release.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { UpgradeRequest } from '@srs-stack/contract';
import { markInterrupted } from './progress-file.ts';
import { isReleaseName, releaseFolders } from './release-folders.ts';
import { changeReleaseState } from './release-state.ts';
import type { WorkerPlace } from './upgrade-worker.ts';

const workerFile = fileURLToPath(new URL('upgrade-worker.ts', import.meta.url));

export interface UpgradeRequestsOptions extends WorkerPlace {
  readonly log: { warn(fields: object, message: string): void; info(fields: object, message: string): void };
  readonly onPrepared: () => void;
}

export interface UpgradeRequests {
  /**
   * Starts the requested work. The operator may select a release before the worker of the check has exited; the upgrade then waits for this
   * exit. Other requests during work, and invalid messages, are ignored.
   */
  handle(message: unknown): void;
  /** Ends the worker and all its child processes. Idempotent. */
  close(): Promise<void>;
}

export function openUpgradeRequests(options: UpgradeRequestsOptions): UpgradeRequests {
  const { log, dataDir } = options;
  const folders = releaseFolders(dataDir);
  let running: { readonly action: UpgradeRequest['action']; readonly worker: ChildProcess } | undefined;
  let waiting: UpgradeRequest | undefined;

  async function work(request: UpgradeRequest): Promise<void> {
    const args = request.action === 'install' ? ['install', request.channel, request.commit] : ['look'];
    const worker = startWorker(args, options);
    running = { action: request.action, worker };
    const { code, prepared } = await outcomeOf(worker).finally(() => {
      running = undefined;
    });
    log.info({ action: request.action, code, prepared }, 'upgrade worker ended');
    if (request.action !== 'install') return;
    if (code === 0 && prepared !== undefined && isReleaseName(prepared)) {
      await changeReleaseState(folders.state, { next: prepared });
      options.onPrepared();
    } else {
      await markInterrupted(folders.progress);
    }
  }

  function begin(request: UpgradeRequest): void {
    work(request)
      .finally(beginWaiting)
      .catch((error) => log.warn({ err: error }, 'upgrade failed'));
  }

  function beginWaiting(): void {
    const next = waiting;
    waiting = undefined;
    if (next) begin(next);
  }

  return {
    handle(message) {
      if (!isUpgradeRequest(message)) return;
      if (!running) begin(message);
      else if (running.action === 'look' && message.action === 'install') waiting = message;
    },
    async close() {
      waiting = undefined;
      const ending = running?.worker;
      if (!ending?.pid) return;
      const closed = once(ending, 'close');
      process.kill(-ending.pid, 'SIGKILL');
      await closed;
    },
  };
}

/** The worker has its own process group, so that npm and git end with it. */
function startWorker(args: readonly string[], { dataDir, checkout, folder }: WorkerPlace): ChildProcess {
  return spawn(process.execPath, [workerFile, ...args], {
    env: { ...process.env, DATA_DIR: dataDir, SRS_STACK_CHECKOUT: checkout, SRS_STACK_FOLDER: folder },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Resolves when the worker has exited. `prepared`: name of the prepared release. */
async function outcomeOf(worker: ChildProcess): Promise<{ code: number | null; prepared: string | undefined }> {
  let prepared: string | undefined;
  worker.on('message', (message: { prepared?: string }) => {
    prepared = message.prepared;
  });
  const [code] = (await once(worker, 'close')) as [number | null];
  return { code, prepared };
}

function isUpgradeRequest(message: unknown): message is UpgradeRequest {
  if (typeof message !== 'object' || message === null) return false;
  const { type, action, channel, commit } = message as Record<string, unknown>;
  if (type !== 'upgrade') return false;
  if (action === 'look') return true;
  const isTarget = (channel === 'stable' || channel === 'development') && typeof commit === 'string';
  return action === 'install' && isTarget && /^[0-9a-f]{40}$/.test(commit);
}
