import type * as calls from '@srs-stack/contract/endpoints/worker-logs.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import type { HandlersOf } from './handlers.ts';

export function workerLogsRoutes({ workerLogs }: Tasks): HandlersOf<typeof calls> {
  return {
    queryWorkerLogs: ({ kind, platform }) => workerLogs.query(kind, platform),
  };
}
