// The publish secret: what every encoder must send.
import { endpoints } from '@srs-stack/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export function usePublishSecret() {
  return useQuery(apiQuery(endpoints.queryPublishSecret, {}));
}

export function useDisablePublishSecret(onDone: () => void) {
  return useMutation({ ...apiMutation(endpoints.disablePublishSecret), ...useRefresh(onDone) });
}

function useRefresh(onDone: () => void) {
  const client = useQueryClient();
  const reportError = useReportError();
  return {
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(endpoints.queryPublishSecret) });
      onDone();
    },
    onError: (error: Error) => {
      void client.invalidateQueries({ queryKey: apiKey(endpoints.queryPublishSecret) });
      reportError(error);
    },
  };
}
