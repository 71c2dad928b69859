// The publish secret: what every encoder must send.
import { calls } from '@srs-stack/contract/calls.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export function usePublishSecret() {
  return useQuery(apiQuery(calls.queryPublishSecret, {}));
}

export function useDisablePublishSecret(onDone: () => void) {
  return useMutation({ ...apiMutation(calls.disablePublishSecret), ...useRefresh(onDone) });
}

function useRefresh(onDone: () => void) {
  const client = useQueryClient();
  const reportError = useReportError();
  return {
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryPublishSecret) });
      onDone();
    },
    onError: (error: Error) => {
      void client.invalidateQueries({ queryKey: apiKey(calls.queryPublishSecret) });
      reportError(error);
    },
  };
}
