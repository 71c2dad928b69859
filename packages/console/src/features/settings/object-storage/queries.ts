import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export type ObjectStorage = ResponseOf<typeof calls.queryObjectStorage>;

export const useObjectStorage = () =>
  useQuery({ ...apiQuery(calls.queryObjectStorage, {}), refetchInterval: pollIntervalMs });

/** Tests the bucket. The form, not a toast, shows a failure. */
export const useTestBucket = () => useMutation(apiMutation(calls.testObjectStorage));

export function useRetryBucket() {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.retryObjectStorage),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKey(calls.queryObjectStorage) }),
    onError: useReportError(),
  });
}
