// The certificate in use, and the three ways to replace it.
import type { Call, RequestOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';

/** Polling interval during an order, milliseconds. Each step of an order takes seconds. */
const orderPollMs = 1_000;

export function useCertificate() {
  return useQuery({
    ...apiQuery(calls.queryCertificateStatus, {}),
    refetchInterval: ({ state }) => (isRunning(state.data?.order?.step) ? orderPollMs : pollIntervalMs),
  });
}

export function isRunning(step: string | undefined): boolean {
  return step !== undefined && step !== 'done' && step !== 'failed';
}

export const useUploadCertificate = (onDone: () => void) => useChange(calls.updateCertificate, onDone);
export const useLetsEncrypt = (onDone: () => void) => useChange(calls.requestLetsEncrypt, onDone);
export const useSelfSigned = (onDone: () => void) => useChange(calls.createSelfSignedCertificate, onDone);

function useChange<C extends Call>(endpoint: C, onDone: () => void) {
  const client = useQueryClient();
  return useMutation<unknown, Error, RequestOf<C>>({
    ...(apiMutation(endpoint) as object),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryCertificateStatus) });
      onDone();
    },
  });
}
