import type * as calls from '@srs-stack/contract/endpoints/forwards.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import type { HandlersOf } from './handlers.ts';

export function forwardsRoutes({ forwards, targetTests }: Tasks): HandlersOf<typeof calls> {
  return {
    async forwardSecret({ token: _, action, ...target }, { actor }) {
      if (action === undefined || action === '') return forwards.targets();
      await forwards.save(action, target, actor);
      return null;
    },
    forwardStreams: () => forwards.rows(),
    switchForwards: async ({ enabled, group }, { actor }) => ({
      changed: await forwards.switchAll(enabled, group, actor),
    }),
    startForwardTest: ({ token: _, ...request }) => targetTests.start(request),
    queryForwardTest: ({ id }) => targetTests.query(id),
    importForwards: ({ targets, preview }, { actor }) => forwards.import(targets, preview, actor),
    async removeForward({ platform }, { actor }) {
      await forwards.remove(platform, actor);
      return null;
    },
  };
}
