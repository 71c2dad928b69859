// The streams as the console's own calls tell them. The list shares its answer with the status strip.
import { type Environment, endpoints } from '@srs-stack/contract';
import { createElement } from 'react';
import { call } from '../../api/api-client.ts';
import { apiKey } from '../../api/api-query.ts';
import { addressesHere } from '../../shared/publish-guide/use-addresses.ts';
import { RecordStreamButton } from '../../shared/recording/record-stream-button.tsx';
import type { StreamSource } from '../../shared/streams/stream-source.ts';

export function createConsoleSource(environment: Environment): StreamSource {
  return {
    streams: {
      queryKey: apiKey(endpoints.queryLive, {}),
      queryFn: ({ signal }) => call(endpoints.queryLive, {}, { signal }),
    },
    clients: (streamId) => ({
      queryKey: apiKey(endpoints.queryLiveClients, { streamId }),
      queryFn: ({ signal }) => call(endpoints.queryLiveClients, { streamId }, { signal }),
    }),
    picture: (streamId) => ({
      queryKey: apiKey(endpoints.queryStreamPicture, { streamId }),
      queryFn: async ({ signal }) => (await call(endpoints.queryStreamPicture, { streamId }, { signal })).picture,
    }),
    kickPublisher: ({ vhost, app, stream }) => call(endpoints.kickStream, { vhost, app, stream }),
    kickViewer: ({ id }) => call(endpoints.kickLiveClient, { id }),
    actions: ({ app, stream }) => createElement(RecordStreamButton, { app, stream }),
    flvAddress: ({ app, stream }) => addressesHere(environment, location, { app, stream, secret: '' }).flvUrl,
  };
}
