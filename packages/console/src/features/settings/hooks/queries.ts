// Callback settings, the log of requests and responses, and the test request.

import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';

export function useHooks() {
  return useQuery({ ...apiQuery(calls.queryHooks, {}), refetchInterval: pollIntervalMs });
}

export function useDeliveries() {
  return useQuery({ ...apiQuery(calls.queryHookDeliveries, { limit: 200 }), refetchInterval: pollIntervalMs });
}

/** Saves the settings. After a refusal, the form shows the reason and keeps the values. */
export function useApplyHooks(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.applyHooks),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryHooks) });
      onDone();
    },
  });
}

export function useTestHooks() {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.testHooks),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKey(calls.queryHookDeliveries) }),
  });
}
