// How HLS is delivered: two switches of the media server.
import { type Endpoint, endpoints, type RequestOf } from '@srs-stack/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';

export function useHighPerformanceHls() {
  return useQuery(apiQuery(endpoints.queryHighPerformanceHls, {}));
}

export function useLowLatencyHls() {
  return useQuery(apiQuery(endpoints.queryLowLatencyHls, {}));
}

export function useUpdateHighPerformanceHls(onDone: () => void) {
  return useUpdate(endpoints.updateHighPerformanceHls, endpoints.queryHighPerformanceHls, onDone);
}

export function useUpdateLowLatencyHls(onDone: () => void) {
  return useUpdate(endpoints.updateLowLatencyHls, endpoints.queryLowLatencyHls, onDone);
}

/** Failing changes nothing: the switch shows what the server has. */
function useUpdate<E extends Endpoint>(update: E, query: Endpoint, onDone: () => void) {
  const client = useQueryClient();
  const reportError = useReportError();
  const refresh = () => client.invalidateQueries({ queryKey: apiKey(query) });
  return useMutation<unknown, Error, RequestOf<E>>({
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
