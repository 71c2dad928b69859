import type * as calls from '@srs-stack/contract/endpoints/streams.ts';
import type { Streams } from '../streams/open-streams.ts';
import type { HandlersOf } from './handlers.ts';

export function streamsRoutes({ active, view }: Streams): HandlersOf<typeof calls> {
  return {
    queryStreams: async () => ({ streams: await active.list() }),
    async kickStream({ vhost, app, stream }, { actor }) {
      await active.kick({ vhost, app, stream }, actor);
      return null;
    },
    queryLive: ({ app, stream }) => view.query({ app, stream }),
  };
}
