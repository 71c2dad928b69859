// Settings of HLS: two switches of the media server, and the rewind window.
import type { Call, RequestOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export function useHighPerformanceHls() {
  return useQuery(apiQuery(calls.queryHighPerformanceHls, {}));
}

export function useLowLatencyHls() {
  return useQuery(apiQuery(calls.queryLowLatencyHls, {}));
}

export function useRewind() {
  return useQuery(apiQuery(calls.queryRewind, {}));
}

export function useUpdateRewind(onDone: () => void) {
  return useUpdate(calls.updateRewind, calls.queryRewind, onDone);
}

export function useUpdateHighPerformanceHls(onDone: () => void) {
  return useUpdate(calls.updateHighPerformanceHls, calls.queryHighPerformanceHls, onDone);
}

export function useUpdateLowLatencyHls(onDone: () => void) {
  return useUpdate(calls.updateLowLatencyHls, calls.queryLowLatencyHls, onDone);
}

/** Saves a switch. After a failed call, the switch shows the value of the server. */
function useUpdate<C extends Call>(update: C, query: Call, onDone: () => void) {
  const client = useQueryClient();
  const reportError = useReportError();
  const refresh = () => client.invalidateQueries({ queryKey: apiKey(query) });
  return useMutation<unknown, Error, RequestOf<C>>({
    ...(apiMutation(update) as object),
    onSuccess: async () => {
      await refresh();
      onDone();
    },
    onError: (error) => {
      void refresh();
      reportError(error);
    },
  });
}
