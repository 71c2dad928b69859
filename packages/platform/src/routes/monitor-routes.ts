import { maxMonitorEvents } from '@srs-stack/contract';
import type * as calls from '@srs-stack/contract/endpoints/monitor.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

export function monitorRoutes({ monitor, watching }: Pick<Modules, 'monitor' | 'watching'>): HandlersOf<typeof calls> {
  return {
    queryMonitor: async () => ({ snapshot: await monitor.snapshot(), events: monitor.newestEvents(maxMonitorEvents) }),
    queryViewers: ({ range, app, stream }) => ({
      viewerReports: watching.hasViewerReports,
      ...monitor.viewers(range, app && stream ? { app, stream } : undefined),
    }),
    queryMonitorHistory: ({ range }) => monitor.history(range),
  };
}
