import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';

/** Poll interval until the first stream and the first viewer, and while the demo stream is enabled, milliseconds. */
const closePollMs = 2_000;
/** Cache time of video counts, milliseconds. Counts change slowly, and the server caches them for a day. */
const videoFactsLastMs = 10 * 60_000;

export function useFirstSteps() {
  return useQuery({
    ...apiQuery(calls.queryFirstSteps, {}),
    refetchInterval: ({ state }) => (state.data?.publish && state.data.play ? pollIntervalMs : closePollMs),
  });
}

const demoQuery = apiQuery(calls.queryDemoStream, {});

export function useDemoStream() {
  return useQuery({
    ...demoQuery,
    refetchInterval: ({ state }) => (state.data?.enabled ? closePollMs : pollIntervalMs),
  });
}

/** Starts or stops the demo stream; the response is its new state. */
export function useSwitchDemo(endpoint: typeof calls.startDemoStream | typeof calls.stopDemoStream) {
  const client = useQueryClient();
  const reportError = useReportError();
  return useMutation({
    ...apiMutation(endpoint),
    onSuccess: (demo) => {
      client.setQueryData(demoQuery.queryKey, demo);
      void client.invalidateQueries({ queryKey: [calls.queryLive.path] });
    },
    onError: reportError,
  });
}

/** Queries of the video metadata, in the order of `bvids`. */
export function useVideoFacts(bvids: readonly string[]) {
  return useQueries({
    queries: bvids.map((bvid) => ({ ...apiQuery(calls.bilibili, { bvid }), staleTime: videoFactsLastMs })),
  });
}
