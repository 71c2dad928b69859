// The servers of the cluster, the data that a new server needs, and draining.
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export type Cluster = ResponseOf<typeof calls.queryCluster>;
export type ClusterNode = Cluster['nodes'][number];
export type ClusterJoin = ResponseOf<typeof calls.queryClusterJoin>;

/** Polling interval, milliseconds. Nodes report their state every three seconds. */
const refreshMs = 3_000;

export const useCluster = () => useQuery({ ...apiQuery(calls.queryCluster, {}), refetchInterval: refreshMs });

/** A mutation, so that the secret is fetched only on demand and never cached. The server audits each request. */
export const useClusterJoin = () => useMutation({ ...apiMutation(calls.queryClusterJoin), onError: useReportError() });

export function useDrainNode() {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.drainNode),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKey(calls.queryCluster) }),
    onError: useReportError(),
  });
}
