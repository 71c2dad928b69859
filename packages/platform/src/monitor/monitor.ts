// The monitoring of the whole server: samples all the time, more often while somebody looks, and tells those who look.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type MonitorEvent,
  type MonitorHistory,
  type MonitorRange,
  type MonitorSnapshot,
  maxMonitorEvents,
} from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { HistoryFile } from './history-file.ts';
import { tierOf } from './history-layout.ts';
import type { MonitorEvents } from './monitor-events.ts';
import type { Sample, Sampler } from './sampler.ts';

/** Between two samples while a console is open, and while nobody looks, milliseconds: the finest row covers 5 s. */
const watchedIntervalMs = 2_000;
const unwatchedIntervalMs = 5_000;
/** How old the split of viewers by protocol may be, milliseconds: asking for it costs with every viewer. */
const watchedClientsMaxAgeMs = 5_000;
const unwatchedClientsMaxAgeMs = 30_000;
/** A sample this young is not taken again for one who asks, milliseconds. */
const freshMs = 1_000;

export interface MonitorListener {
  onSnapshot(snapshot: MonitorSnapshot): void;
  onEvent(event: MonitorEvent): void;
}

export interface Monitor {
  /** Figures of now; takes a sample when the last one is old. */
  current(): Promise<Sample>;
  snapshot(): Promise<MonitorSnapshot>;
  history(range: MonitorRange): MonitorHistory;
  newestEvents(count: number): MonitorEvent[];
  eventsSince(id: number, count: number): MonitorEvent[];
  eventCounts(): ReturnType<MonitorEvents['counts']>;
  /** Samples more often while somebody listens; returns the way to stop. */
  subscribe(listener: MonitorListener): () => void;
  /** Samples until the signal aborts; never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export interface MonitorDeps {
  readonly sampler: Sampler;
  readonly history: HistoryFile;
  readonly events: MonitorEvents;
  readonly log: Log;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export function createMonitor({ sampler, history, events, log, now, monotonicMs }: MonitorDeps): Monitor {
  const listeners = new Set<MonitorListener>();
  let last: { atMs: number; sample: Sample } | undefined;
  let taking: Promise<Sample> | undefined;
  let wake = () => {};

  const take = async (): Promise<Sample> => {
    const isWatched = listeners.size > 0;
    const sample = await sampler({
      nextInMs: isWatched ? watchedIntervalMs : unwatchedIntervalMs,
      clientsMaxAgeMs: isWatched ? watchedClientsMaxAgeMs : unwatchedClientsMaxAgeMs,
    });
    last = { atMs: monotonicMs(), sample };
    for (const { onSnapshot } of listeners) onSnapshot(sample.snapshot);
    return sample;
  };
  /** Two never run beside each other: each measures since the one before. */
  const takeOnce = () => {
    taking ??= take().finally(() => {
      taking = undefined;
    });
    return taking;
  };
  const current = () => (last && monotonicMs() - last.atMs < freshMs ? Promise.resolve(last.sample) : takeOnce());

  events.subscribe((event) => {
    for (const { onEvent } of listeners) onEvent(event);
  });

  return {
    current,
    snapshot: async () => (await current()).snapshot,
    history(range) {
      const nowMs = now().getTime();
      const { stepMs, rows } = tierOf(range);
      return { ...history.read(range, nowMs), events: events.between(nowMs - stepMs * rows, nowMs, maxMonitorEvents) };
    },
    newestEvents: (count) => events.newest(count),
    eventsSince: (id, count) => events.since(id, count),
    eventCounts: () => events.counts(),
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) wake();
      return () => listeners.delete(listener);
    },
    async run(signal) {
      events.add({ kind: 'server-started' });
      while (!signal.aborted) {
        await takeOnce().catch((error) => log.error({ err: error }, 'figures not taken'));
        const pause = new AbortController();
        wake = () => pause.abort();
        const either = AbortSignal.any([signal, pause.signal]);
        const intervalMs = listeners.size > 0 ? watchedIntervalMs : unwatchedIntervalMs;
        await sleep(intervalMs, undefined, { signal: either, ref: false }).catch(() => undefined);
      }
    },
    close: () => history.close(),
  };
}
