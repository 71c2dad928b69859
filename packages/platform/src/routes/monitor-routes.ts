import { maxMonitorEvents } from '@srs-stack/contract';
import type * as calls from '@srs-stack/contract/endpoints/monitor.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { HandlersOf } from './handlers.ts';

export function monitorRoutes(monitor: Monitor): HandlersOf<typeof calls> {
  return {
    queryMonitor: async () => ({ snapshot: await monitor.snapshot(), events: monitor.newestEvents(maxMonitorEvents) }),
    queryMonitorHistory: ({ range }) => monitor.history(range),
  };
}
