import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export function usePublishSecret() {
  return useQuery(apiQuery(calls.queryPublishSecret, {}));
}

export type SecretUses = ResponseOf<typeof calls.queryPublishSecretUses>;

/** Requests the targets and publishers that use the secret. Called before each change of the secret. */
export function useSecretUses(onFound: (uses: SecretUses) => void) {
  const reportError = useReportError();
  return useMutation({
    ...apiMutation(calls.queryPublishSecretUses),
    onSuccess: onFound,
    onError: (error: Error) => reportError(error),
  });
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
