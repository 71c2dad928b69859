// Metrics and events of the server, shared by the whole page. The server pushes metrics while the tab is visible. After failures, the feed
// polls the server.
import type { MonitorEvent, MonitorSnapshot } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { maxMonitorEvents } from '@srs-stack/contract/limits.ts';
import { call } from '../../api/api-client.ts';
import { ApiError, isSessionExpired } from '../../api/api-error.ts';
import { type EventStreamHandlers, readEventStream } from '../../api/event-stream.ts';
import { onSessionChange } from '../../api/stored-session.ts';

/** First and longest pause before a reconnect, milliseconds. Each pause is twice as long as the previous pause. */
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
/** A connection without data for this time counts as lost, milliseconds. The server sends metrics every 2 s. */
const silenceMs = 12_000;
/** Number of consecutive failures before polling starts. */
const failuresBeforePolling = 2;
/** Time for which a hidden tab stays connected, milliseconds, so that a short tab switch causes no reconnect. */
const hiddenGraceMs = 5_000;

/** `connecting`: no metrics yet. `live`: pushed. `polling`: polled. `broken`: neither works. */
export type FeedLink = 'connecting' | 'live' | 'polling' | 'broken';

export interface FeedState {
  link: FeedLink;
  snapshot: MonitorSnapshot | undefined;
  /** Time at which the snapshot arrived, milliseconds of `performance.now()`. */
  receivedAtMs: number;
  /** Newest first. */
  events: readonly MonitorEvent[];
}

const nothingYet: FeedState = { link: 'connecting', snapshot: undefined, receivedAtMs: 0, events: [] };

let state = nothingYet;
const listeners = new Set<() => void>();
let stop: (() => void) | undefined;

export const monitorFeed = {
  state: (): FeedState => state,
  /** The feed runs while listeners exist. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    stop ??= start();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      stop?.();
      stop = undefined;
      state = nothingYet;
    };
  },
};

function set(change: Partial<FeedState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

function addEvents(fresh: readonly MonitorEvent[]): void {
  const known = new Set(state.events.map(({ id }) => id));
  const added = fresh.filter(({ id }) => !known.has(id));
  if (added.length === 0) return;
  const events = [...added, ...state.events].sort((a, b) => b.id - a.id).slice(0, maxMonitorEvents);
  set({ events });
}

/** Starts the feed and returns the function that stops it. */
function start(): () => void {
  let connection: AbortController | undefined;
  let timers: ReturnType<typeof setTimeout>[] = [];
  let failures = 0;

  const later = (action: () => void, ms: number) => timers.push(setTimeout(action, ms));
  const cancelTimers = () => {
    timers.forEach(clearTimeout);
    timers = [];
  };

  const open = () => {
    cancelTimers();
    connection?.abort();
    connection = new AbortController();
    void follow(connection);
  };
  const follow = async (own: AbortController) => {
    let silence: ReturnType<typeof setTimeout> | undefined;
    const handlers: EventStreamHandlers = {
      onAlive() {
        clearTimeout(silence);
        silence = setTimeout(() => own.abort(silent), silenceMs);
      },
      onSnapshot(snapshot) {
        failures = 0;
        set({ link: 'live', snapshot, receivedAtMs: performance.now() });
      },
      onEvent: (event) => addEvents([event]),
    };
    handlers.onAlive();
    const error = await readEventStream(handlers, { lastEventId: state.events[0]?.id ?? 0, signal: own.signal }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    clearTimeout(silence);
    if (own === connection && (!own.signal.aborted || own.signal.reason === silent)) onEnd(error);
  };
  /** Called when the server or the network ended the connection. */
  const onEnd = (error: unknown) => {
    failures += 1;
    const isFull = error instanceof ApiError && error.errorName === 'tooManyEventStreams';
    const mustPoll = isFull || isSessionExpired(error) || failures >= failuresBeforePolling;
    if (state.link === 'live') set({ link: 'broken' });
    if (mustPoll) void poll();
    const pause = isFull ? longestRetryMs : Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs);
    // Random, so that many consoles do not reconnect simultaneously.
    later(open, pause * (0.75 + Math.random() / 2));
  };
  const poll = async () => {
    const own = connection;
    const response = await call(calls.queryMonitor, {}).catch(() => undefined);
    if (own !== connection) return;
    if (response) {
      addEvents(response.events);
      set({ link: 'polling', snapshot: response.snapshot, receivedAtMs: performance.now() });
    } else {
      set({ link: 'broken' });
    }
    later(() => void poll(), pollIntervalMs);
  };

  const close = () => {
    cancelTimers();
    connection?.abort();
    connection = undefined;
  };
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') {
      cancelTimers();
      later(close, hiddenGraceMs);
    } else if (!connection || connection.signal.aborted || state.link !== 'live') {
      failures = 0;
      open();
    } else {
      cancelTimers();
    }
  };
  const stopSession = onSessionChange(() => {
    failures = 0;
    open();
  });
  document.addEventListener('visibilitychange', onVisibility);
  if (document.visibilityState !== 'hidden') open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    stopSession();
    close();
  };
}

/** Closes a connection that has sent no data in time. */
const silent = new Error('the event stream sent no data in time');
