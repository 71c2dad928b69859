// Polls the live state while the card is visible, and updates the displayed times every second.
import { defaultApp } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { useVisible } from '../../../shared/use-visible.ts';
import { liveCardPollMs, liveQuery } from '../queries.ts';
import {
  type LiveCardState,
  type LiveResponse,
  liveCardState,
  responseToShow,
  staleSeconds,
  type TimedResponse,
} from './live-card-state.ts';

/** Update interval of the displayed times, milliseconds. */
const clockMs = 1_000;

export function useLiveCard(
  stream: string,
  card: RefObject<Element | null>,
): { state: LiveCardState; stale: number; visible: boolean; retry: () => void } {
  const visible = useVisible(card);
  const query = useQuery({ ...liveQuery, refetchInterval: visible && liveCardPollMs });
  const nowMs = useClock(visible);
  const { refetch } = query;
  useEffect(() => {
    if (visible) void refetch();
  }, [visible, refetch]);
  const shown = useResponseToShow(query.data, query.dataUpdatedAt, nowMs);
  const receivedAtMs = shown?.atMs ?? 0;
  const lastPublishedMs = useLastPublished(shown?.response, receivedAtMs, stream);
  const input = {
    response: shown?.response,
    receivedAtMs,
    failure: query.error,
    nowMs: Math.max(nowMs, receivedAtMs),
    app: defaultApp,
    stream,
    lastPublishedMs,
  };
  const state = liveCardState(input);
  // With an error of the server, the card does not show the age of the metrics.
  const stale = state.kind === 'refused' ? 0 : staleSeconds(input);
  return { state, stale, visible, retry: () => void refetch() };
}

function useResponseToShow(response: LiveResponse | undefined, atMs: number, nowMs: number): TimedResponse | undefined {
  const [lastGood, setLastGood] = useState<TimedResponse>();
  useEffect(() => {
    if (response?.mediaServer) setLastGood({ response, atMs });
  }, [response, atMs]);
  return responseToShow(response && { response, atMs }, lastGood, nowMs);
}

/** Time of the last response that listed this stream, epoch milliseconds. Another stream name resets the time. */
function useLastPublished(response: LiveResponse | undefined, receivedAtMs: number, stream: string): number {
  const [seen, setSeen] = useState({ stream, atMs: 0 });
  const isPublished = response?.streams.some((row) => row.app === defaultApp && row.stream === stream) ?? false;
  useEffect(() => {
    if (isPublished) setSeen({ stream, atMs: receivedAtMs });
  }, [isPublished, receivedAtMs, stream]);
  return seen.stream === stream ? seen.atMs : 0;
}

function useClock(running: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNowMs(Date.now()), clockMs);
    return () => clearInterval(timer);
  }, [running]);
  return nowMs;
}
