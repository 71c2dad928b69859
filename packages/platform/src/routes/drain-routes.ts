import type * as calls from '@srs-stack/contract/endpoints/drain.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { Streams } from '../streams/open-streams.ts';
import type { HandlersOf } from './handlers.ts';

export function drainRoutes({ streams: { drain }, monitor }: DrainModules): HandlersOf<typeof calls> {
  const state = async () => {
    const since = drain.since();
    const [connected, { workersRunning }] = await Promise.all([drain.connected(), monitor.snapshot()]);
    return { draining: since !== '', since, connected, tasksRunning: workersRunning };
  };
  return {
    queryDrain: state,
    async updateDrain({ draining }, { actor }) {
      await drain.change(draining, actor);
      return state();
    },
  };
}

interface DrainModules {
  readonly streams: Streams;
  readonly monitor: Monitor;
}
