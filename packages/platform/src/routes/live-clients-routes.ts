import type * as calls from '@srs-stack/contract/endpoints/live-clients.ts';
import type { Streams } from '../streams/open-streams.ts';
import type { HandlersOf } from './handlers.ts';

export function liveClientsRoutes({ clients, pictures }: Streams): HandlersOf<typeof calls> {
  return {
    queryLiveClients: ({ streamId }) => clients.ofStream(streamId),
    async kickLiveClient({ id }, { actor }) {
      await clients.kick(id, actor);
      return null;
    },
    queryStreamPicture: async ({ streamId }) => ({ picture: await pictures.find(streamId) }),
  };
}
