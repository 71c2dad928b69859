// The streams of the source, asked again and again while somebody looks.
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { type StreamsAnswer, useStreamSource } from './stream-source.ts';

/** How often a visible list asks, milliseconds. */
const streamsPollMs = 2_000;

/** A refetch interval that ends with the right to ask: whoever logs in again comes back to the page. */
export function whileAllowed({ state }: { readonly state: { readonly error: Error | null } }): number | false {
  return state.error instanceof ApiError && state.error.status === 401 ? false : streamsPollMs;
}

export interface StreamsState {
  readonly answer: StreamsAnswer | undefined;
  /** Why there is no answer at all; later failures only make the numbers old. */
  readonly error: Error | null;
  /** When the last answer came, epoch milliseconds. */
  readonly answeredAtMs: number;
  readonly retry: () => void;
}

export function useStreams(): StreamsState {
  const { streams } = useStreamSource();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...streams,
    refetchInterval: whileAllowed,
    staleTime: 0,
    retry: false,
    // Every answer has other figures: comparing thousands of them would only cost.
    structuralSharing: false,
  });
  return {
    answer: data,
    error: data ? null : error,
    answeredAtMs: dataUpdatedAt,
    retry: () => void refetch(),
  };
}
