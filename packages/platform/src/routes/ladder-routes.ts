import type * as calls from '@srs-stack/contract/endpoints/ladder.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import type { HandlersOf } from './handlers.ts';

export function ladderRoutes({ ladder, ladderCosts }: Tasks): HandlersOf<typeof calls> {
  return {
    queryLadder: () => ladder.current(),
    async applyLadder({ token: _, ...config }, { actor }) {
      await ladder.apply(config, actor);
      return null;
    },
    queryLadderTasks: async () => ({ tasks: await ladder.tasks() }),
    measureLadder: async ({ token: _, ...wanted }) => ladderCosts.query(wanted),
  };
}
