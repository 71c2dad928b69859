// Streams of this server that tasks need even without viewers: a camera that is pulled on demand is then pulled all the time. The plans of
// all cameras share one look at the store.
import type { ForwardTarget } from '@srs-stack/contract';
import { createCache } from '../../concurrency/cache.ts';

/** Cameras plan every few seconds, each on its own; many of them read the store once in this time, milliseconds. */
const maxAgeMs = 1_000;

export interface NamedStream {
  readonly app: string;
  readonly stream: string;
}

export interface NeededStreamsDeps {
  readonly isRecorded: (stream: NamedStream) => boolean;
  readonly slates: { isBackup(stream: NamedStream): boolean };
  /** `app/stream` of each stream that a channel shows. */
  readonly channels: { shownStreams(): Promise<ReadonlySet<string>> };
  readonly forwards: { targets(): Promise<Record<string, ForwardTarget>> };
  /** Monotonic milliseconds; set by tests. */
  readonly clock?: () => number;
}

export function createNeededStreams(deps: NeededStreamsDeps): (stream: NamedStream) => Promise<boolean> {
  const clock = deps.clock ?? (() => performance.now());
  const read = createCache(maxAgeMs, clock, async () => {
    const [shown, targets] = await Promise.all([deps.channels.shownStreams(), deps.forwards.targets()]);
    // By name: a forward of the newest stream follows what is live anyway.
    const forwarded = Object.values(targets).flatMap(({ enabled, stream }) => (enabled ? [stream] : []));
    return { shown, forwarded: new Set(forwarded) };
  });
  return async (named) => {
    if (deps.isRecorded(named) || deps.slates.isBackup(named)) return true;
    const { shown, forwarded } = await read();
    return shown.has(`${named.app}/${named.stream}`) || forwarded.has(named.stream);
  };
}
