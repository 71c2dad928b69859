// The streams of the source, polled while the page is visible.
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { type StreamsResponse, useStreamSource } from './stream-source.ts';

/** Poll interval of a visible list, milliseconds. */
const streamsPollMs = 2_000;

/** The poll interval; false, which stops polling, after the session has expired. Polling resumes after the next login. */
export function whileAllowed({ state }: { readonly state: { readonly error: Error | null } }): number | false {
  return state.error instanceof ApiError && state.error.status === 401 ? false : streamsPollMs;
}

export interface StreamsState {
  readonly response: StreamsResponse | undefined;
  /** Why no response has ever arrived; later failures only make the metrics stale. */
  readonly error: Error | null;
  /** When the last response arrived, epoch milliseconds. */
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
    // Metrics differ in every response: a comparison of thousands of them has no benefit.
    structuralSharing: false,
  });
  return {
    response: data,
    error: data ? null : error,
    receivedAtMs: dataUpdatedAt,
    retry: () => void refetch(),
  };
}
