import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { fetchMediaText } from '../../api/media-text.ts';
import { useReportError } from '../errors/error-report.tsx';
import { readStoryboard } from './clip-times.ts';

export interface StreamName {
  app: string;
  stream: string;
}

/** Poll interval until a clip is ready, milliseconds. */
const readyIntervalMs = 1_000;

/** Requests the streams that have a rewind window. */
export function useRewindWindows() {
  return useQuery({ ...apiQuery(calls.queryRewindWindows, {}), refetchInterval: pollIntervalMs });
}

/** Requests the rewind window of a stream, and the exact cut points for a range. */
export function useRewindWindow({ app, stream }: StreamName, piece: readonly [number, number] | undefined) {
  const moments = piece && { from: iso(piece[0]), to: iso(piece[1]) };
  return useQuery({
    ...apiQuery(calls.queryRewindWindow, { app, stream, ...moments }),
    refetchInterval: pollIntervalMs,
    placeholderData: keepPreviousData,
  });
}

/** Requests the preview images of the rewind window; empty while unavailable. */
export function useStoryboard(thumbnails: string | undefined, watchQuery: string) {
  const address = thumbnails && thumbnails + (watchQuery === '' ? '' : `?${watchQuery}`);
  return useQuery({
    queryKey: ['storyboard', thumbnails],
    enabled: address !== undefined,
    refetchInterval: pollIntervalMs,
    queryFn: async ({ signal }) =>
      readStoryboard(await fetchMediaText(address!, signal), new URL(address!, location.href).href),
  });
}

export function useCreateClip() {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.createClip),
    onError: useReportError(),
    onSettled: () => client.invalidateQueries({ queryKey: apiKey(calls.queryRecordFiles) }),
  });
}

/** Requests the recording of the clip until its MP4 file exists or has failed. */
export function useClipRow(uuid: string) {
  return useQuery({
    ...apiQuery(calls.queryRecordFiles, { search: uuid, limit: 1, offset: 0 }),
    select: (rows) => rows[0],
    refetchInterval: ({ state }) => (state.data?.[0]?.progress === false ? false : readyIntervalMs),
  });
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
