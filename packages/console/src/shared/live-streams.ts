// The live streams as the server sees them: one query shared by the status strip and the Live page.
import { endpoints, pollIntervalMs } from '@srs-stack/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';

/** Polls all live streams and recent refusals. The fastest mounted interval wins; hidden tabs do not ask. */
export function useLiveStreams({ intervalMs = pollIntervalMs }: { intervalMs?: number } = {}) {
  return useQuery({ ...apiQuery(endpoints.queryLive, {}), refetchInterval: intervalMs });
}
