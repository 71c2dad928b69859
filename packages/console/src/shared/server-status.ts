// The server's version and releases: the status strip keeps them current, the components page shows them.

import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';

/** Polled while a page shows it; failures are ignored here. */
export function useServerStatus() {
  return useQuery({ ...apiQuery(calls.status, {}), refetchInterval: pollIntervalMs });
}
