// Status rows of workers: fields of all kinds of workers, and fields that exist only while a process runs.
import type { WorkerStatus } from '@srs-stack/contract';
import type { WorkerView } from '../workers/supervised-worker.ts';

export function statusOf(view: WorkerView): WorkerStatus {
  const { state, reason, reasonDetail, detail, retryInMs, restarts, pid, cpuPercent, rssBytes, command, heartbeat } =
    view;
  const cause = { reason, reasonDetail, ...(detail && { detail }) };
  return { state, ...cause, retryInMs, restarts, pid, cpuPercent, rssBytes, command, heartbeat };
}

/** `frame`, `start` and `ready`; present only while a process or a push of the media server runs. */
export function runOf({ frame, start, ready }: WorkerView) {
  if (!frame) return {};
  return { frame, start: start ?? '', ready: ready ?? '' };
}

/** A property of the running process, e.g. its source stream. */
export function factOf(view: WorkerView, name: string): string | undefined {
  const value = view.facts?.[name];
  return typeof value === 'string' ? value : undefined;
}
