// Streams of this server that tasks need even without viewers. On-demand cameras of these streams are pulled permanently. Plans of all
// cameras share one read of the store.
import type { ForwardTarget } from '@srs-stack/contract';
import { createCache } from '../../concurrency/cache.ts';

/** Cache time of the needed streams, milliseconds. Each camera is planned every few seconds. */
const maxAgeMs = 1_000;

export interface NamedStream {
  readonly app: string;
  readonly stream: string;
}

export interface NeededStreamsDeps {
  readonly isRecorded: (stream: NamedStream) => boolean;
  readonly slates: { isBackup(stream: NamedStream): boolean };
  readonly channels: { shownStreams(): Promise<ReadonlySet<string>> };
  readonly forwards: { targets(): Promise<Record<string, ForwardTarget>> };
  readonly clock?: () => number;
}

export function createNeededStreams(deps: NeededStreamsDeps): (stream: NamedStream) => Promise<boolean> {
  const clock = deps.clock ?? (() => performance.now());
  const read = createCache(maxAgeMs, clock, async () => {
    const [shown, targets] = await Promise.all([deps.channels.shownStreams(), deps.forwards.targets()]);
    // Only forwards with a stream name: a forward of the newest stream needs no particular stream.
    const forwarded = Object.values(targets).flatMap(({ enabled, stream }) => (enabled ? [stream] : []));
    return { shown, forwarded: new Set(forwarded) };
  });
  return async (named) => {
    if (deps.isRecorded(named) || deps.slates.isBackup(named)) return true;
    const { shown, forwarded } = await read();
    return shown.has(`${named.app}/${named.stream}`) || forwarded.has(named.stream);
  };
}
