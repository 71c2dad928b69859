import { maxMonitorEvents } from '@srs-stack/contract';
import type { Services } from '../services.ts';
import type { Handlers } from './handlers.ts';

export function monitorRoutes({ monitor }: Services): Pick<Handlers, 'queryMonitor' | 'queryMonitorHistory'> {
  return {
    queryMonitor: async () => ({ snapshot: await monitor.snapshot(), events: monitor.newestEvents(maxMonitorEvents) }),
    queryMonitorHistory: ({ range }) => monitor.history(range),
  };
}
