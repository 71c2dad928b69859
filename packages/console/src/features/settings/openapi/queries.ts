import { calls } from '@srs-stack/contract/calls.ts';
import { openApiPath } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { storeSession } from '../../../api/stored-session.ts';
import { fetchOperations, tryCall } from '../../../api/try-call.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export function useApiSecret() {
  return useQuery(apiQuery(calls.querySecret, {}));
}

export function useOperations() {
  return useQuery({ queryKey: [openApiPath], queryFn: ({ signal }) => fetchOperations(signal), staleTime: Infinity });
}

/** Replaces the API secret and ends all sessions. The response is a new session for this browser. */
export function useRotateSecret(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.signOutEverywhere),
    onSuccess: async (session) => {
      storeSession(session);
      await client.invalidateQueries({ queryKey: apiKey(calls.querySecret) });
      onDone();
    },
    onError: useReportError(),
  });
}

export function useTryCall() {
  return useMutation({ mutationFn: tryCall });
}
