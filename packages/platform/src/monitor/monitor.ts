// Takes samples of the server's metrics, more often while a console is open, and notifies subscribers.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type MonitorEvent,
  type MonitorHistory,
  type MonitorRange,
  type MonitorSnapshot,
  maxMonitorEvents,
} from '@srs-stack/contract';
import type { ViewerResults } from '@srs-stack/contract/wire/srs-rows.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { HistoryFile } from './history-file.ts';
import { tierOf } from './history-layout.ts';
import type { MonitorEvents } from './monitor-events.ts';
import type { Sample, Sampler } from './sampler.ts';
import type { KeptViewerHistory } from './viewers/open-viewer-history.ts';
import type { ViewerHistory, ViewerTotal } from './viewers/viewer-history.ts';
import type { ViewedName } from './viewers/viewer-history-layout.ts';

/** Sampling intervals with and without an open console, milliseconds. At most 5 s, the interval of the finest history rows. */
const watchedIntervalMs = 2_000;
const unwatchedIntervalMs = 5_000;
/** Maximum age of the split of viewers by protocol, milliseconds. The cost of the split grows with the viewers. */
const watchedClientsMaxAgeMs = 5_000;
const unwatchedClientsMaxAgeMs = 30_000;
/** Maximum age of a sample that is reused for a request, milliseconds. */
const freshMs = 1_000;

export interface MonitorListener {
  readonly onSnapshot: (snapshot: MonitorSnapshot) => void;
  readonly onEvent: (event: MonitorEvent) => void;
}

export interface Monitor {
  /** Current metrics. Takes a sample when the last sample is too old. */
  current(): Promise<Sample>;
  snapshot(): Promise<MonitorSnapshot>;
  /** The last sample, even if old; undefined before the first sample. */
  lastSnapshot(): MonitorSnapshot | undefined;
  history(range: MonitorRange): MonitorHistory;
  viewers(range: MonitorRange, name?: ViewedName): ReturnType<ViewerHistory['read']>;
  /** Playback reports since the control plane started, and how many were accepted and refused. */
  viewerTotals(): { readonly rows: readonly ViewerTotal[]; readonly results: ViewerResults };
  newestEvents(count: number): MonitorEvent[];
  eventsSince(id: number, count: number): MonitorEvent[];
  eventCounts(): ReturnType<MonitorEvents['counts']>;
  /** Sampling is more frequent while there is a subscriber. Returns a function that unsubscribes. */
  subscribe(listener: MonitorListener): () => void;
  /** Takes samples until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface MonitorDeps {
  readonly sampler: Pick<Sampler, 'take'>;
  readonly history: HistoryFile;
  readonly events: MonitorEvents;
  readonly viewers: KeptViewerHistory;
  readonly viewerResults: () => ViewerResults;
  readonly log: Log;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export function createMonitor(deps: MonitorDeps): Monitor {
  return new SamplingMonitor(deps);
}

class SamplingMonitor implements Monitor {
  readonly #deps: MonitorDeps;
  readonly #listeners = new Set<MonitorListener>();
  #last: { atMs: number; sample: Sample } | undefined;
  #taking: Promise<Sample> | undefined;
  #wake = () => {};

  constructor(deps: MonitorDeps) {
    this.#deps = deps;
    deps.events.subscribe((event) => {
      for (const { onEvent } of this.#listeners) onEvent(event);
    });
  }

  current(): Promise<Sample> {
    return this.#last && this.#deps.monotonicMs() - this.#last.atMs < freshMs
      ? Promise.resolve(this.#last.sample)
      : this.#takeOnce();
  }

  async snapshot(): Promise<MonitorSnapshot> {
    return (await this.current()).snapshot;
  }

  lastSnapshot(): MonitorSnapshot | undefined {
    return this.#last?.sample.snapshot;
  }

  history(range: MonitorRange): MonitorHistory {
    const nowMs = this.#deps.now().getTime();
    const { stepMs, rows } = tierOf(range);
    return {
      ...this.#deps.history.read(range, nowMs),
      events: this.#deps.events.between(nowMs - stepMs * rows, nowMs, maxMonitorEvents),
    };
  }

  viewers(range: MonitorRange, name?: ViewedName): ReturnType<ViewerHistory['read']> {
    return this.#deps.viewers.history.read(range, this.#deps.now().getTime(), name);
  }

  viewerTotals(): ReturnType<Monitor['viewerTotals']> {
    return { rows: this.#deps.viewers.history.totals(), results: this.#deps.viewerResults() };
  }

  newestEvents(count: number): MonitorEvent[] {
    return this.#deps.events.newest(count);
  }

  eventsSince(id: number, count: number): MonitorEvent[] {
    return this.#deps.events.since(id, count);
  }

  eventCounts(): ReturnType<MonitorEvents['counts']> {
    return this.#deps.events.counts();
  }

  subscribe(listener: MonitorListener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#wake();
    return () => this.#listeners.delete(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#deps.events.add({ kind: 'server-started' });
    while (!signal.aborted) {
      await this.#takeOnce().catch((error) =>
        this.#deps.log.error({ err: error }, 'metrics sample could not be taken'),
      );
      const pause = new AbortController();
      this.#wake = () => pause.abort();
      const either = AbortSignal.any([signal, pause.signal]);
      const intervalMs = this.#listeners.size > 0 ? watchedIntervalMs : unwatchedIntervalMs;
      await sleep(intervalMs, undefined, { signal: either, ref: false }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#deps.history.close(), this.#deps.viewers.close()]);
  }

  async #take(): Promise<Sample> {
    const isWatched = this.#listeners.size > 0;
    const sample = await this.#deps.sampler.take({
      nextInMs: isWatched ? watchedIntervalMs : unwatchedIntervalMs,
      clientsMaxAgeMs: isWatched ? watchedClientsMaxAgeMs : unwatchedClientsMaxAgeMs,
    });
    this.#last = { atMs: this.#deps.monotonicMs(), sample };
    for (const { onSnapshot } of this.#listeners) onSnapshot(sample.snapshot);
    return sample;
  }

  /** Takes a sample unless one is running. Samples must not overlap, because each measures the time since the previous sample. */
  #takeOnce() {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }
}
