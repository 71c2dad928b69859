import type { Services } from '../services.ts';
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

export function streamsRoutes(services: Services): Pick<Handlers, Names> {
  const { publishSecret, activeStreams, liveView, liveClients, streamPictures, streamEvents, hlsSegments } = services;
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
    queryStreams: async () => ({ streams: await activeStreams.list() }),
    async kickStream({ vhost, app, stream }, { ip }) {
      await activeStreams.kick({ vhost, app, stream }, ip);
      return null;
    },
    queryLive: ({ app, stream }) => liveView.query({ app, stream }),
    queryLiveClients: ({ streamId }) => liveClients.ofStream(streamId),
    async kickLiveClient({ id }, { ip }) {
      await liveClients.kick(id, ip);
      return null;
    },
    queryStreamPicture: async ({ streamId }) => ({ picture: await streamPictures.find(streamId) }),
    async verifyStream(event) {
      await streamEvents.handle(event);
      return null;
    },
    async hlsSegment(event) {
      await hlsSegments.handle(event);
      return null;
    },
  };
}
