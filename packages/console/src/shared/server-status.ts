import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';

/** Version and releases of the server, polled while displayed. */
export function useServerStatus() {
  return useQuery({ ...apiQuery(calls.status, {}), refetchInterval: pollIntervalMs });
}
