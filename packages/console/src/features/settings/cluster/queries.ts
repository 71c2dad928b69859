// The servers of the cluster, the data that another server needs to join, and draining a server.
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export type Cluster = ResponseOf<typeof calls.queryCluster>;
export type ClusterNode = Cluster['nodes'][number];
export type ClusterJoin = ResponseOf<typeof calls.queryClusterJoin>;

/** Poll interval, milliseconds: nodes report their state every three seconds. */
const refreshMs = 3_000;

export const useCluster = () => useQuery({ ...apiQuery(calls.queryCluster, {}), refetchInterval: refreshMs });

/** Fetched on demand and never cached: it is secret, and each request is audited. */
export const useClusterJoin = () => useMutation({ ...apiMutation(calls.queryClusterJoin), onError: useReportError() });

export function useDrainNode() {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.drainNode),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKey(calls.queryCluster) }),
    onError: useReportError(),
  });
}
