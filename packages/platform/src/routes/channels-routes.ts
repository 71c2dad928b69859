import type * as calls from '@srs-stack/contract/endpoints/channels.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import type { HandlersOf } from './handlers.ts';

export function channelsRoutes({ channels }: Pick<Tasks, 'channels'>): HandlersOf<typeof calls> {
  return {
    listChannels: async () => ({ channels: await channels.list() }),
    createChannel: ({ token: _, ...draft }, { actor }) => channels.create(draft, actor),
    updateChannel: ({ token: _, id, ...draft }, { actor }) => channels.update(id, draft, actor),
    async removeChannel({ id }, { actor }) {
      await channels.remove(id, actor);
      return null;
    },
    switchChannel: ({ id, enabled }, { actor }) => channels.switch(id, enabled, actor),
    async takeOverChannel({ id, stream }, { actor }) {
      await channels.takeOver(id, stream, actor);
      return null;
    },
    async giveBackChannel({ id }, { actor }) {
      await channels.giveBack(id, actor);
      return null;
    },
    queryProgramme: async ({ id, hours }) => ({ slots: await channels.programme(id, hours) }),
    queryAsRun: async ({ id }) => ({ entries: await channels.asRun(id) }),
  };
}
