// Callback settings, what was sent and what came back, and the dry run.
import { endpoints, pollIntervalMs } from '@srs-stack/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';

export function useHooks() {
  return useQuery({ ...apiQuery(endpoints.queryHooks, {}), refetchInterval: pollIntervalMs });
}

export function useDeliveries() {
  return useQuery({ ...apiQuery(endpoints.queryHookDeliveries, { limit: 200 }), refetchInterval: pollIntervalMs });
}

/** A refusal is shown in the form; the values stay. */
export function useApplyHooks(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(endpoints.applyHooks),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(endpoints.queryHooks) });
      onDone();
    },
  });
}

export function useTestHooks() {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(endpoints.testHooks),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKey(endpoints.queryHookDeliveries) }),
  });
}
