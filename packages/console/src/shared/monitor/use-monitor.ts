import type { MonitorEventKind } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { apiKey } from '../../api/api-query.ts';
import { type FeedLink, type FeedState, monitorFeed } from './monitor-feed.ts';

/** Age at which pushed metrics count as stale, milliseconds: two missed messages and a short delay. */
const staleAfterMs = 7_000;
/** Age at which polled metrics count as stale, milliseconds. */
const staleAfterPollMs = 16_000;
const tickMs = 1_000;

/** Returns metrics and events. The feed runs while a component uses this hook. */
export function useMonitor(): FeedState {
  return useSyncExternalStore(monitorFeed.subscribe, monitorFeed.state);
}

/**
 * `connecting`: no metrics yet. `live`: pushed. `polling`: polled. `reconnecting`: disconnected, but the metrics are recent. `stale`: too
 * old, see `ageSeconds`.
 */
export interface Freshness {
  state: 'connecting' | 'live' | 'polling' | 'reconnecting' | 'stale';
  ageSeconds: number;
}

export function freshnessOf(link: FeedLink, ageMs: number | undefined): Freshness {
  if (ageMs === undefined) return { state: 'connecting', ageSeconds: 0 };
  const ageSeconds = Math.floor(ageMs / 1_000);
  if (ageMs > (link === 'polling' ? staleAfterPollMs : staleAfterMs)) return { state: 'stale', ageSeconds };
  return { state: link === 'broken' || link === 'connecting' ? 'reconnecting' : link, ageSeconds };
}

/** Returns the age of the metrics, updated every second. */
export function useFreshness({ link, snapshot, receivedAtMs }: FeedState): Freshness {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), tickMs);
    return () => clearInterval(timer);
  }, []);
  return freshnessOf(link, snapshot ? performance.now() - receivedAtMs : undefined);
}

const kindsOfStreams: readonly MonitorEventKind[] = ['publish', 'unpublish', 'stream-kicked', 'engine-back'];

/** Fetches lists of streams immediately after a stream starts or ends. */
export function useRefreshByEvents({ events }: FeedState): void {
  const client = useQueryClient();
  const newestSeen = useRef<number>(undefined);
  useEffect(() => {
    const newest = events[0]?.id ?? 0;
    const before = newestSeen.current;
    newestSeen.current = newest;
    if (before === undefined) return;
    const fresh = events.filter(({ id }) => id > before);
    if (!fresh.some(({ kind }) => kindsOfStreams.includes(kind))) return;
    for (const endpoint of [calls.queryLive, calls.queryStreams]) {
      void client.invalidateQueries({ queryKey: apiKey(endpoint) });
    }
  }, [client, events]);
}
