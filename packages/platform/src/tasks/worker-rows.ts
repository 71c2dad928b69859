// Status rows of workers: the fields all kinds share, and those that are there only while a process runs.
import type { WorkerStatus } from '@srs-stack/contract';
import type { WorkerView } from '../workers/supervised-worker.ts';

export function statusOf(view: WorkerView): WorkerStatus {
  const { state, reason, reasonDetail, detail, retryInMs, restarts, pid, cpuPercent, rssBytes, command, heartbeat } =
    view;
  const told = { reason, reasonDetail, ...(detail && { detail }) };
  return { state, ...told, retryInMs, restarts, pid, cpuPercent, rssBytes, command, heartbeat };
}

/** `frame`, `start` and `ready` while a process runs. */
export function runOf({ pid, frame, start, ready }: WorkerView) {
  if (pid === 0 || !frame) return {};
  return { frame, start: start ?? '', ready: ready ?? '' };
}

/** The text a running process wrote for a fact, e.g. its source stream. */
export function factOf(view: WorkerView, name: string): string | undefined {
  const value = view.facts?.[name];
  return typeof value === 'string' ? value : undefined;
}
