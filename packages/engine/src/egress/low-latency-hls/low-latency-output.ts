// Low-latency HLS of all streams. The newest media of every stream is always kept, so that viewers start immediately. The rest of a
// playlist is kept only while the stream is watched. The hub's stream observers, requests and a timer drive the output.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { HlsConfig } from '../../engine-config.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';
import type { EnginePorts } from '../../ports.ts';
import { RestingTicker } from '../../util/resting-ticker.ts';
import type { PublishedStream } from '../hls/hls-stream.ts';
import { SegmentMemory } from '../hls/segment-memory.ts';
import { LowLatencyStream } from './low-latency-stream.ts';
import { RenditionGroup } from './rendition-group.ts';

interface LowLatencyHub {
  attach(key: StreamKey, reader: StreamReader, options?: { fromGopCache?: boolean }): { detach(): void };
  onStreamStart(observer: (stream: PublishedStream) => void): () => void;
  onStreamEnd(observer: (stream: PublishedStream) => void): () => void;
}

type LowLatencyConfig = Pick<HlsConfig, 'enabled' | 'lowLatency' | 'disposeSeconds'>;

export interface LowLatencyOutputOptions {
  readonly hub: LowLatencyHub;
  readonly config: LowLatencyConfig;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number;
  readonly renditionOf?: EnginePorts['renditionOf'];
}

export interface LowLatencyOutput {
  readonly isEnabled: boolean;
  find(key: StreamKey): LowLatencyStream | undefined;
  /** Like `find`, but marks the stream as watched. */
  watch(key: StreamKey): LowLatencyStream | undefined;
  reconfigure(config: LowLatencyConfig): void;
  /** Idempotent. */
  close(): void;
}

/** Maximum size of all streams, bytes: listed and removed segments of 15 watched streams at 4 Mbit/s. Above it, the oldest are dropped. */
const maxMemoryBytes = 512 * 1024 * 1024;
/** A stream without a request for this time counts as unwatched, milliseconds. A player sends several requests per second. */
const idleMs = 60_000;
const sweepIntervalMs = 1_000;

interface Making {
  readonly output: LowLatencyStream;
  subscription: { detach(): void } | undefined;
  lastWatchedMs: number;
  /** Monotonic time for removing the output; undefined while published. */
  forgetAtMs: number | undefined;
}

export function createLowLatencyOutput(options: LowLatencyOutputOptions): LowLatencyOutput {
  return new LowLatencyStreams(options);
}

class LowLatencyStreams implements LowLatencyOutput {
  readonly #options: LowLatencyOutputOptions;
  readonly #memory = new SegmentMemory(maxMemoryBytes);
  readonly #unobserve: (() => void)[];
  readonly #ticker: RestingTicker;
  readonly #live = new Map<string, PublishedStream>();
  readonly #making = new Map<string, Making>();
  readonly #groups = new Map<string, RenditionGroup>();
  #config: LowLatencyConfig;

  constructor(options: LowLatencyOutputOptions) {
    const { hub, clock, config } = options;
    this.#options = options;
    this.#config = config;
    this.#unobserve = [
      hub.onStreamStart((stream) => this.#start(stream)),
      hub.onStreamEnd((stream) => this.#end(stream)),
    ];
    this.#ticker = new RestingTicker({ everyMs: sweepIntervalMs, tick: () => this.#sweep(clock()) });
  }

  get isEnabled(): boolean {
    return this.#config.enabled && this.#config.lowLatency;
  }

  find(key: StreamKey): LowLatencyStream | undefined {
    return this.#making.get(toStreamUrl(key))?.output;
  }

  watch(key: StreamKey): LowLatencyStream | undefined {
    const making = this.#making.get(toStreamUrl(key));
    if (making === undefined) return undefined;
    making.lastWatchedMs = this.#options.clock();
    making.output.isWatched = true;
    return making.output;
  }

  reconfigure(config: LowLatencyConfig): void {
    this.#config = config;
    if (!this.isEnabled) this.#forgetAll();
    else for (const stream of this.#live.values()) this.#make(stream);
  }

  close(): void {
    this.#ticker.close();
    for (const off of this.#unobserve) off();
    this.#forgetAll();
    this.#live.clear();
  }

  #make(stream: PublishedStream): void {
    const url = toStreamUrl(stream.key);
    if (this.#making.has(url)) return;
    const making = { output: this.#create(stream), subscription: undefined, lastWatchedMs: 0, forgetAtMs: undefined };
    this.#making.set(url, making);
    this.#ticker.wake();
    this.#attach(making);
  }

  #create(stream: PublishedStream): LowLatencyStream {
    const { clock, wallClock = Date.now } = this.#options;
    const run = wallClock().toString(36);
    const group = this.#groupOf(stream.key);
    return new LowLatencyStream({ stream, memory: this.#memory, clock, wallClock, run, group });
  }

  /** Undefined for streams that are not renditions. */
  #groupOf(key: StreamKey): RenditionGroup | undefined {
    const name = this.#groupNameOf(key);
    if (name === undefined) return undefined;
    const group = this.#groups.get(name) ?? new RenditionGroup();
    this.#groups.set(name, group);
    return group;
  }

  #groupNameOf(key: StreamKey): string | undefined {
    const stream = this.#options.renditionOf?.(key);
    return stream === undefined ? undefined : toStreamUrl({ ...key, stream });
  }

  #attach(making: Making): void {
    const { hub } = this.#options;
    making.subscription ??= hub.attach(making.output.key, making.output, { fromGopCache: true });
  }

  #start(stream: PublishedStream): void {
    const url = toStreamUrl(stream.key);
    this.#live.set(url, stream);
    const making = this.#making.get(url);
    if (making === undefined) {
      if (this.isEnabled) this.#make(stream);
      return;
    }
    making.forgetAtMs = undefined;
    making.output.resume(stream);
    this.#attach(making);
  }

  #end(stream: PublishedStream): void {
    const url = toStreamUrl(stream.key);
    this.#live.delete(url);
    const making = this.#making.get(url);
    if (making === undefined) return;
    making.output.unpublish();
    making.subscription?.detach();
    making.subscription = undefined;
    making.forgetAtMs = this.#options.clock() + this.#config.disposeSeconds * 1000;
  }

  #sweep(now: number): boolean {
    for (const [url, making] of this.#making) {
      making.output.sweep(now);
      if (making.forgetAtMs !== undefined && making.forgetAtMs <= now) this.#forget(url, making);
      else if (now - making.lastWatchedMs >= idleMs) making.output.isWatched = false;
    }
    return this.#making.size > 0;
  }

  #forget(url: string, making: Making): void {
    this.#making.delete(url);
    making.subscription?.detach();
    making.output.close();
    const name = this.#groupNameOf(making.output.key);
    if (name !== undefined && this.#groups.get(name)?.leave(making.output)) this.#groups.delete(name);
  }

  #forgetAll(): void {
    for (const [url, making] of this.#making) this.#forget(url, making);
  }
}
