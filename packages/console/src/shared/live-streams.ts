import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';

/**
 * Polls live streams and recent refusals. Mounted components share one query, and the shortest interval applies. Hidden tabs do not poll.
 */
export function useLiveStreams({ intervalMs = pollIntervalMs }: { intervalMs?: number } = {}) {
  return useQuery({ ...apiQuery(calls.queryLive, {}), refetchInterval: intervalMs });
}
