// Polls the streams of the source while the page is visible.
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { type StreamsResponse, useStreamSource } from './stream-source.ts';

const streamsPollMs = 2_000;

/** Returns the poll interval, or false after the session has expired. Polling resumes after the next login. */
export function whileAllowed({ state }: { readonly state: { readonly error: Error | null } }): number | false {
  return state.error instanceof ApiError && state.error.status === 401 ? false : streamsPollMs;
}

export interface StreamsState {
  readonly response: StreamsResponse | undefined;
  /** Error of the first request. Later failures leave old metrics on the page. */
  readonly error: Error | null;
  /** Time of the last response, epoch milliseconds. */
  readonly receivedAtMs: number;
  readonly retry: () => void;
}

export function useStreams(): StreamsState {
  const { streams } = useStreamSource();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...streams,
    refetchInterval: whileAllowed,
    staleTime: 0,
    retry: false,
    // Metrics change in every response, so a comparison with the previous response is useless.
    structuralSharing: false,
  });
  return {
    response: data,
    error: data ? null : error,
    receivedAtMs: dataUpdatedAt,
    retry: () => void refetch(),
  };
}
