// State of a stream over all gateways for the watch page: whether the stream is live, since when, viewers, outputs, and rewind window.
// Cached, because thousands of viewers request the state.

import { type WatchLive, type WatchWay, watchWays } from '@srs-stack/contract/values/watch-info.ts';
import { defaultVhost, type Engine, type StreamKey, toStreamUrl, type WatchFacts } from '@srs-stack/engine';
import type { WatchedStream } from './watch-path.ts';

/** Cache time of the state of a live stream, milliseconds. Counting viewers iterates over all players. */
const sharedMs = 1_000;
/** Maximum number of streams with a cached state. The oldest entry is removed first. */
const maxShared = 10_000;

interface OtherGateways {
  /** Start of the stream's publisher on another gateway, milliseconds since 1970. */
  publishedSince(key: StreamKey): number | undefined;
  /** Responses of the gateways that respond in time. Never rejects. */
  watchFactsOfOthers(key: StreamKey): Promise<WatchFacts[]>;
}

export interface LiveFactsOptions {
  /** Undefined for an external media server, which is not queried. */
  readonly engine: Pick<Engine, 'watchFacts'> | undefined;
  readonly others: OtherGateways | undefined;
  readonly off: () => ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

type Facts = Pick<WatchLive, 'live' | 'since' | 'viewers' | 'ways' | 'rewindSeconds'>;

/** The protocol that must be switched on for each output. The components page of the console uses these names. */
const componentOf: Readonly<Record<WatchWay, string>> = { webrtc: 'webrtc', llhls: 'hls', flv: 'flv', hls: 'hls' };
const outputOf = { webrtc: 'whep', llhls: 'lowLatencyHls', flv: 'flv', hls: 'hls' } as const;

/** Outputs of an external media server: all outputs that SRS supports. */
const foreign = { outputs: { whep: true, flv: true, lowLatencyHls: false, hls: true } } as const;

export class LiveFacts {
  readonly #options: LiveFactsOptions;
  readonly #now: () => number;
  readonly #shared = new Map<string, { readonly atMs: number; readonly facts: Promise<Facts> }>();

  constructor(options: LiveFactsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** State of the stream, at most one second old. Never rejects. */
  of({ app, stream }: WatchedStream): Promise<Facts> {
    const { engine, others } = this.#options;
    const key = { vhost: defaultVhost, app, stream };
    if (!engine) return Promise.resolve({ live: null, since: null, viewers: null, ways: this.#ways([foreign]) });
    const url = toStreamUrl(key);
    const shared = this.#shared.get(url);
    // `Math.abs`, because the clock may have been set back.
    if (shared && Math.abs(this.#now() - shared.atMs) < sharedMs) return shared.facts;
    const own = engine.watchFacts(key);
    const since = others?.publishedSince(key);
    if (!own.isHere && since === undefined) {
      // `null` (unknown): whether an on-demand source works is known only when someone plays the stream.
      const live = own.isOnDemand ? null : false;
      return Promise.resolve({ live, since: null, viewers: 0, ways: this.#ways([own]) });
    }
    const facts = this.#gather(key, own, since);
    this.#share(url, facts);
    return facts;
  }

  async #gather(key: StreamKey, own: WatchFacts, sinceMs: number | undefined): Promise<Facts> {
    const theirs = (await this.#options.others?.watchFactsOfOthers(key)) ?? [];
    const all = [own, ...theirs];
    const ages = all.flatMap(({ publishedForMs }) => publishedForMs ?? []);
    const held = all.flatMap(({ rewindMs }) => rewindMs ?? []);
    const startedMs = ages.length > 0 ? this.#now() - Math.max(...ages) : sinceMs;
    return {
      live: true,
      since: startedMs === undefined ? null : new Date(startedMs).toISOString(),
      viewers: all.reduce((sum, { viewers }) => sum + viewers, 0),
      ways: this.#ways(all),
      ...(held.length > 0 && { rewindSeconds: Math.floor(Math.max(...held) / 1000) }),
    };
  }

  /** Outputs that are switched on and for which no gateway reports an obstacle. */
  #ways(all: readonly Pick<WatchFacts, 'outputs'>[]): WatchWay[] {
    const off = this.#options.off();
    return watchWays.filter((way) => !off.has(componentOf[way]) && all.every(({ outputs }) => outputs[outputOf[way]]));
  }

  #share(url: string, facts: Promise<Facts>): void {
    this.#shared.delete(url);
    this.#shared.set(url, { atMs: this.#now(), facts });
    const oldest = this.#shared.keys().next().value;
    if (this.#shared.size > maxShared && oldest !== undefined) this.#shared.delete(oldest);
  }
}
