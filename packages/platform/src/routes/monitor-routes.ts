import { maxMonitorEvents } from '@srs-stack/contract';
import type { Monitor } from '../monitor/monitor.ts';
import type { Handlers } from './handlers.ts';

export function monitorRoutes(monitor: Monitor): Pick<Handlers, 'queryMonitor' | 'queryMonitorHistory'> {
  return {
    queryMonitor: async () => ({ snapshot: await monitor.snapshot(), events: monitor.newestEvents(maxMonitorEvents) }),
    queryMonitorHistory: ({ range }) => monitor.history(range),
  };
}
