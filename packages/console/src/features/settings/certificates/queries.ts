// The certificate in use, and the three ways to another one.
import { type Endpoint, endpoints, pollIntervalMs, type RequestOf } from '@srs-stack/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';

/** While an order runs its steps follow each other within seconds, milliseconds. */
const orderPollMs = 1_000;

export function useCertificate() {
  return useQuery({
    ...apiQuery(endpoints.queryCertificateStatus, {}),
    refetchInterval: ({ state }) => (isRunning(state.data?.order?.step) ? orderPollMs : pollIntervalMs),
  });
}

export function isRunning(step: string | undefined): boolean {
  return step !== undefined && step !== 'done' && step !== 'failed';
}

export const useUploadCertificate = (onDone: () => void) => useChange(endpoints.updateCertificate, onDone);
export const useLetsEncrypt = (onDone: () => void) => useChange(endpoints.requestLetsEncrypt, onDone);
export const useSelfSigned = (onDone: () => void) => useChange(endpoints.createSelfSignedCertificate, onDone);

/** Failures are shown in the form that caused them. */
function useChange<E extends Endpoint>(endpoint: E, onDone: () => void) {
  const client = useQueryClient();
  return useMutation<unknown, Error, RequestOf<E>>({
    ...(apiMutation(endpoint) as object),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(endpoints.queryCertificateStatus) });
      onDone();
    },
  });
}
