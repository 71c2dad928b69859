// Loads streams through the HTTP API of SRS.
import type { SrsApi } from '../api/srs-api.ts';
import type { StreamSource } from '../shared/streams/stream-source.ts';
import { toLiveClient, toLiveStreams } from './srs-responses.ts';

export function createSrsSource(api: SrsApi, httpOrigin: string): StreamSource {
  return {
    streams: {
      queryKey: [api.origin, 'streams'],
      queryFn: async ({ signal }) => {
        const [streams, clients] = await Promise.all([api.list('streams', signal), api.list('clients', signal)]);
        return { mediaServer: true, streams: toLiveStreams(streams, clients) };
      },
    },
    clients: (streamId) => ({
      queryKey: [api.origin, 'clients', streamId],
      queryFn: async ({ signal }) => {
        const all = (await api.list('clients', signal)).map(toLiveClient);
        const clients = all.filter((client) => client.streamId === streamId);
        return { clients, total: clients.length };
      },
    }),
    kickPublisher: ({ publisherClientId }) => api.kick(publisherClientId),
    kickViewer: ({ id }) => api.kick(id),
    flvAddress: ({ app, stream }) => `${httpOrigin}/${app}/${encodeURIComponent(stream)}.flv`,
  };
}
