// Lists enabled forwards, virtual live streams and the transcoder, and creates events about their changes.
import type { MonitorWorker, WorkerStatus } from '@srs-stack/contract';
import type { Forwards } from '../tasks/forwards/forwards.ts';
import type { Transcode } from '../tasks/transcode/transcode.ts';
import type { Vlives } from '../tasks/vlive/vlives.ts';
import { isFailing } from './alarms.ts';
import type { EventFacts } from './monitor-events.ts';

export interface WorkerSources {
  readonly forwards: Pick<Forwards, 'rows'>;
  readonly vlives: Pick<Vlives, 'rows'>;
  readonly transcode: Pick<Transcode, 'task'>;
}

/** Failing tasks first, then running tasks. */
export async function listWorkers({ forwards, vlives, transcode }: WorkerSources): Promise<MonitorWorker[]> {
  const [forwardRows, vliveRows, task] = await Promise.all([forwards.rows(), vlives.rows(), transcode.task()]);
  const ofTarget = (kind: 'forward' | 'vlive') => (row: WorkerStatus & { platform: string; label: string }) =>
    toWorker(row, { id: `${kind}:${row.platform}`, kind, label: row.label, platform: row.platform });
  const workers = [
    ...forwardRows.filter(isEnabled).map(ofTarget('forward')),
    ...vliveRows.filter(isEnabled).map(ofTarget('vlive')),
    ...[task]
      .filter(isEnabled)
      .map((row) => toWorker(row, { id: 'transcode', kind: 'transcode', label: '', platform: '' })),
  ];
  return workers.sort((a, b) => urgency(b) - urgency(a));
}

const isEnabled = ({ enabled }: { enabled: boolean }) => enabled;
const urgency = (worker: MonitorWorker) => (isFailing(worker) ? 2 : Number(worker.state === 'running'));

type Identity = Pick<MonitorWorker, 'id' | 'kind' | 'label' | 'platform'>;

function toWorker({ state, reason, restarts, cpuPercent, rssBytes }: WorkerStatus, identity: Identity): MonitorWorker {
  return { ...identity, state, reason, restarts, cpuPercent, memoryBytes: rssBytes };
}

/** Reports when a worker starts to fail, and when the worker runs again. */
export function createWorkerWatch(): (workers: readonly MonitorWorker[]) => EventFacts[] {
  const failing = new Set<string>();
  return (workers) => {
    const changes: EventFacts[] = [];
    for (const worker of workers) {
      const { id, state, reason } = worker;
      const subject = worker.label || worker.platform || id;
      if (isFailing(worker) && !failing.has(id)) {
        failing.add(id);
        changes.push({ kind: 'worker-failing', severity: 'error', subject, detail: reason });
      } else if (state === 'running' && failing.delete(id)) {
        changes.push({ kind: 'worker-recovered', subject });
      }
    }
    const known = new Set(workers.map(({ id }) => id));
    for (const id of failing) if (!known.has(id)) failing.delete(id);
    return changes;
  };
}
