// The log call of the API, for forwards, virtual live streams, the transcoder and ladders.
import type { WorkerKind, WorkerStatus } from '@srs-stack/contract';
import type { WorkerRegistry } from '../workers/worker-registry.ts';
import { forwardWorkerId } from './forwards/forwards.ts';
import { ladderPrefix } from './ladder/ladder.ts';
import { transcodeWorkerId } from './transcode/transcode.ts';
import { vliveWorkerId } from './vlive/vlives.ts';
import { statusOf } from './worker-rows.ts';

export interface WorkerLogs {
  query(kind: WorkerKind, platform: string): WorkerStatus & { logs: string[] };
}

export function createWorkerLogs(workers: WorkerRegistry): WorkerLogs {
  return {
    query(kind, platform) {
      const id = workerId(kind, platform);
      return { ...statusOf(workers.view(id)), logs: workers.logs(id) };
    },
  };
}

function workerId(kind: WorkerKind, platform: string): string {
  // For a ladder, `kind` is `transcode` and `platform` is `app/stream`.
  if (kind === 'transcode') return platform === '' ? transcodeWorkerId : `${ladderPrefix}${platform}`;
  return kind === 'forward' ? forwardWorkerId(platform) : vliveWorkerId(platform);
}
