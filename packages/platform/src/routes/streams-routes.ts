import type { Streams } from '../streams/open-streams.ts';
import type { Handlers } from './handlers.ts';

type Names =
  | 'queryPublishSecret'
  | 'updatePublishSecret'
  | 'disablePublishSecret'
  | 'queryStreams'
  | 'kickStream'
  | 'queryLive'
  | 'queryLiveClients'
  | 'kickLiveClient'
  | 'queryStreamPicture'
  | 'verifyStream'
  | 'hlsSegment';

export function streamsRoutes(streams: Streams): Pick<Handlers, Names> {
  const { publishSecret, active, view, clients, pictures, events, segments } = streams;
  return {
    queryPublishSecret: () => publishSecret.current(),
    async updatePublishSecret({ secret, revision }, { ip }) {
      await publishSecret.replace(secret, ip, revision);
      return null;
    },
    async disablePublishSecret({ pubNoAuth, revision }, { ip }) {
      await publishSecret.disable(pubNoAuth, ip, revision);
      return null;
    },
    queryStreams: async () => ({ streams: await active.list() }),
    async kickStream({ vhost, app, stream }, { ip }) {
      await active.kick({ vhost, app, stream }, ip);
      return null;
    },
    queryLive: ({ app, stream }) => view.query({ app, stream }),
    queryLiveClients: ({ streamId }) => clients.ofStream(streamId),
    async kickLiveClient({ id }, { ip }) {
      await clients.kick(id, ip);
      return null;
    },
    queryStreamPicture: async ({ streamId }) => ({ picture: await pictures.find(streamId) }),
    async verifyStream(event) {
      await events.handle(event);
      return null;
    },
    async hlsSegment(event) {
      await segments.handle(event);
      return null;
    },
  };
}
