// The streams of the source, asked again and again while somebody looks.
import { useQuery } from '@tanstack/react-query';
import { type StreamsAnswer, useStreamSource } from './stream-source.ts';

/** How often a visible list asks, milliseconds. */
export const streamsPollMs = 2_000;

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
    refetchInterval: streamsPollMs,
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
