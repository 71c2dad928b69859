import { calls } from '@srs-stack/contract/calls.ts';
import { defaultApp } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import type { Guide } from './guide-context.ts';
import { useAddresses } from './use-addresses.ts';
import { type StreamKeyChoice, useStreamKey } from './use-stream-key.ts';
import { useStreamName } from './use-stream-name.ts';
import { useWatchLink } from './use-watch-link.ts';

const publishSecretQuery = apiQuery(calls.queryPublishSecret, {});

export interface PublishGuide {
  /** Lacks the secret until `status` is `ready`. */
  guide: Guide;
  status: 'loading' | 'failed' | 'ready';
  error: Error | null;
  retry: () => void;
  /** Stream key in the addresses; undefined if publishing needs no key. */
  streamKey: StreamKeyChoice | undefined;
}

export function usePublishGuide(): PublishGuide {
  const streamName = useStreamName();
  const query = useQuery(publishSecretQuery);
  const streamKey = useStreamKey();
  const needsSecret = query.data !== undefined && !query.data.pubNoAuth;
  const secret = needsSecret ? (streamKey.chosen?.secret ?? query.data.publish) : '';
  const watchLink = useWatchLink(defaultApp, streamName.name);
  const addresses = useAddresses(streamName.name, secret, defaultApp, watchLink.made?.query);
  const guide = useMemo(
    () => ({ addresses, secret, streamName, watchLink }),
    [addresses, secret, streamName, watchLink],
  );
  const status = query.data ? 'ready' : query.isError ? 'failed' : 'loading';
  return {
    ...{ guide, status, error: query.error, retry: () => void query.refetch() },
    streamKey: needsSecret ? streamKey : undefined,
  };
}
