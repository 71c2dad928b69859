// Access mode of a stream, and the playback link that the operator created on this page.
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import type { WatchMode } from '@srs-stack/contract/values/watching.ts';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../api/api-query.ts';

type MadeLink = ResponseOf<typeof calls.createWatchLink>;

export interface WatchLinkState {
  readonly pattern: string;
  /** `open` until the server responds, or if the server does not respond. */
  readonly mode: WatchMode;
  /** Undefined until the operator creates a link. */
  readonly made: MadeLink | undefined;
  /** Undefined while loading. */
  readonly hasKey: boolean | undefined;
  keep(made: MadeLink): void;
}

export function useWatchLink(app: string, stream: string): WatchLinkState {
  const client = useQueryClient();
  const pattern = `${app}/${stream}`;
  const { data: access } = useQuery({ ...apiQuery(calls.queryWatchAccess, { app, stream }), retry: false });
  const mode = access?.mode ?? 'open';
  const { data: watching } = useQuery({ ...apiQuery(calls.queryWatching, {}), retry: false, enabled: mode !== 'open' });
  const hasKey = watching && watching.keys.length > 0;
  // Cached while the console is open, because all items of the guide show the link.
  const { data: kept } = useQuery<MadeLink>({
    queryKey: ['made-watch-link', pattern],
    queryFn: skipToken,
    gcTime: Infinity,
  });
  const made = mode === 'open' ? undefined : kept;
  return useMemo(
    () => ({
      ...{ pattern, mode, made, hasKey },
      keep: (link) => void client.setQueryData(['made-watch-link', pattern], link),
    }),
    [client, pattern, mode, made, hasKey],
  );
}
