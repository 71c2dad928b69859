import type * as calls from '@srs-stack/contract/endpoints/forwards.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import type { HandlersOf } from './handlers.ts';

export function forwardsRoutes({ forwards }: Tasks): HandlersOf<typeof calls> {
  return {
    async forwardSecret({ token: _, action, ...target }, { ip }) {
      if (action === undefined || action === '') return forwards.targets();
      await forwards.save(action, target, ip);
      return null;
    },
    forwardStreams: () => forwards.rows(),
    async removeForward({ platform }, { ip }) {
      await forwards.remove(platform, ip);
      return null;
    },
  };
}
