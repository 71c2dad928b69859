import type { Call } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../errors/error-report.tsx';

export interface StreamName {
  app: string;
  stream: string;
}

export const useSnapshots = ({ app, stream }: StreamName) =>
  useQuery({ ...apiQuery(calls.querySnapshots, { app, stream }), refetchInterval: pollIntervalMs });

/** Requests an image only once, because images never change. */
export const useSnapshotImage = ({ app, stream }: StreamName, name: string | undefined) =>
  useQuery({
    ...apiQuery(calls.querySnapshotPicture, { app, stream, name: name ?? '' }),
    enabled: name !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useSnapshotTimers = () =>
  useQuery({ ...apiQuery(calls.querySnapshotTimers, {}), refetchInterval: pollIntervalMs });

function useChange<C extends Call>(call: C) {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(call),
    onError: useReportError(),
    onSettled: async () => {
      const keys = [calls.querySnapshots, calls.querySnapshotTimers].map((each) => apiKey(each));
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}

export const useTakeSnapshot = () => useChange(calls.takeSnapshot);
export const useRemoveSnapshots = () => useChange(calls.removeSnapshots);
export const useSaveTimers = () => useChange(calls.updateSnapshotTimers);
