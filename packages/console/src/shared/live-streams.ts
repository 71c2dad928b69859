// The live streams of the server: one query shared by the status strip and the Live page.

import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';

/** Polls all live streams and recent refusals. The fastest mounted interval wins; hidden tabs do not poll. */
export function useLiveStreams({ intervalMs = pollIntervalMs }: { intervalMs?: number } = {}) {
  return useQuery({ ...apiQuery(calls.queryLive, {}), refetchInterval: intervalMs });
}
