// The server's version and releases: the status strip keeps them current, the components page shows them.
import { endpoints, pollIntervalMs } from '@srs-stack/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';

/** Polled while a page shows it; failures are nobody's concern here. */
export function useServerStatus() {
  return useQuery({ ...apiQuery(endpoints.status, {}), refetchInterval: pollIntervalMs });
}
