// Loads streams through the console's API. The query shares the cached response with the status strip.
import type { Environment } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { createElement, Fragment } from 'react';
import { call } from '../../api/api-client.ts';
import { apiKey } from '../../api/api-query.ts';
import { ClipButton } from '../../shared/clips/clip-button.tsx';
import { addressesHere } from '../../shared/publish-guide/use-addresses.ts';
import { RecordStreamButton } from '../../shared/recording/record-stream-button.tsx';
import { SlateLink } from '../../shared/slate-link.tsx';
import type { StreamSource } from '../../shared/streams/stream-source.ts';
import { ViewerHistory } from '../../shared/viewers/viewer-history.tsx';

export function createConsoleSource(environment: Environment): StreamSource {
  return {
    streams: {
      queryKey: apiKey(calls.queryLive, {}),
      queryFn: ({ signal }) => call(calls.queryLive, {}, { signal }),
    },
    clients: (streamId) => ({
      queryKey: apiKey(calls.queryLiveClients, { streamId }),
      queryFn: ({ signal }) => call(calls.queryLiveClients, { streamId }, { signal }),
    }),
    picture: (streamId) => ({
      queryKey: apiKey(calls.queryStreamPicture, { streamId }),
      queryFn: async ({ signal }) => (await call(calls.queryStreamPicture, { streamId }, { signal })).picture,
    }),
    kickPublisher: ({ vhost, app, stream }) => call(calls.kickStream, { vhost, app, stream }),
    kickViewer: ({ id }) => call(calls.kickLiveClient, { id }),
    actions: ({ app, stream }) =>
      createElement(
        Fragment,
        null,
        createElement(RecordStreamButton, { app, stream }),
        createElement(ClipButton, { app, stream }),
        createElement(SlateLink),
      ),
    viewers: ({ app, stream }) => createElement(ViewerHistory, { name: { app, stream } }),
    flvAddress: ({ app, stream }) => addressesHere(environment, location, { app, stream, secret: '' }).flvUrl,
  };
}
