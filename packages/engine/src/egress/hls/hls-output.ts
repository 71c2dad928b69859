// HLS of all streams: playlists and segments in memory and on disk. One reader per live stream cuts segments. The hub's stream observers
// and a timer drive the output.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { HlsConfig } from '../../engine-config.ts';
import { faultReporter } from '../../faults.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';
import type { EnginePorts, StreamOrigins } from '../../ports.ts';
import { RestingTicker } from '../../util/resting-ticker.ts';
import { DiskHealth } from './disk-health.ts';
import { handOverMs } from './hand-over.ts';
import { HlsStream, type PublishedStream } from './hls-stream.ts';
import { leftoverSegmentsKeptMs, removeLeftovers } from './leftover-files.ts';
import type { SegmentKeeper } from './segment-finisher.ts';
import { SegmentMemory } from './segment-memory.ts';

interface HlsHub {
  attach(key: StreamKey, reader: StreamReader, options?: { fromGopCache?: boolean }): { detach(): void };
  onStreamStart(observer: (stream: PublishedStream) => void): () => void;
  onStreamEnd(observer: (stream: PublishedStream) => void): () => void;
}

export interface HlsOutputOptions {
  readonly hub: HlsHub;
  readonly config: HlsConfig;
  readonly ports: Pick<EnginePorts, 'log' | 'onHlsSegment'>;
  /** Receives finished segments and keeps them longer than the playlist. */
  readonly keeper?: SegmentKeeper;
  readonly origins?: Pick<StreamOrigins, 'publishedSince' | 'whenKnown'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number;
}

export interface HlsOutput {
  readonly config: HlsConfig;
  /** Output of a stream while it is live, and afterwards until its files are removed. */
  find(key: StreamKey): HlsStream | undefined;
  /** Restarts all running streams with a discontinuity. Resolves when the previous files are complete. */
  reconfigure(config: HlsConfig): Promise<void>;
  /**
   * Completes the open segments. Files remain, because consumers were just notified of them; the next run removes the files. Idempotent.
   */
  close(): Promise<void>;
}

/** Interval of checks for expired files and ended streams, milliseconds. */
const sweepIntervalMs = 1_000;

export function createHlsOutput(options: HlsOutputOptions): HlsOutput {
  return new HlsStreams(options);
}

interface Running {
  readonly output: HlsStream;
  attached: { detach(): void } | undefined;
}

class HlsStreams implements HlsOutput {
  readonly #options: HlsOutputOptions;
  readonly #wallClock: () => number;
  readonly #memory = new SegmentMemory();
  readonly #disk: DiskHealth;
  readonly #unobserve: (() => void)[];
  readonly #ticker: RestingTicker;
  /** Published streams, even while HLS is off. */
  readonly #live = new Map<string, PublishedStream>();
  readonly #running = new Map<string, Running>();
  /** Outputs of a previous configuration whose files still exist. */
  readonly #retired = new Set<HlsStream>();
  readonly #disposals = new Set<Promise<void>>();
  /** Milliseconds since 1970. */
  readonly #startedAtMs: number;
  /** Monotonic time at which the segments of a previous run are removed; infinite after the removal. */
  #leftoversGoAtMs: number | undefined;
  config: HlsConfig;

  constructor(options: HlsOutputOptions) {
    const { hub, ports, clock, config } = options;
    this.#options = options;
    this.config = config;
    this.#wallClock = options.wallClock ?? Date.now;
    this.#startedAtMs = this.#wallClock();
    this.#disk = new DiskHealth(ports.log);
    this.#unobserve = [
      hub.onStreamStart((stream) => this.#startStream(stream)),
      hub.onStreamEnd((stream) => this.#endStream(stream)),
    ];
    this.#ticker = new RestingTicker({ everyMs: sweepIntervalMs, tick: () => this.#sweep(clock()) });
    // The timer runs from the start, because files of a previous run may exist.
    this.#ticker.wake();
    if (config.enabled) this.#track(this.#removeLeftovers(leftoverSegmentsKeptMs));
  }

  find(key: StreamKey): HlsStream | undefined {
    return this.#running.get(toStreamUrl(key))?.output;
  }

  async reconfigure(config: HlsConfig): Promise<void> {
    const before = [...this.#running.values()];
    const sequences = new Map([...this.#running].map(([url, { output }]) => [url, output.nextSequence]));
    this.config = config;
    this.#running.clear();
    for (const { attached } of before) attached?.detach();
    await Promise.all(before.map(({ output }) => output.close()));
    for (const { output } of before) this.#retire(output);
    if (!config.enabled) return;
    for (const [url, stream] of this.#live) {
      if (!this.#running.has(url)) this.#open(stream, sequences.get(url) ?? 0);
    }
  }

  async close(): Promise<void> {
    this.#ticker.close();
    for (const off of this.#unobserve) off();
    const running = [...this.#running.values()];
    this.#running.clear();
    this.#live.clear();
    for (const { attached } of running) attached?.detach();
    await Promise.all([...running.map(({ output }) => output.close()), ...this.#disposals]);
  }

  #startStream(stream: PublishedStream): void {
    const url = toStreamUrl(stream.key);
    this.#live.set(url, stream);
    const known = this.#running.get(url);
    if (known === undefined) {
      if (this.config.enabled) this.#open(stream, 0);
      return;
    }
    known.output.resume(stream);
    known.attached ??= this.#options.hub.attach(stream.key, known.output);
  }

  #open(stream: PublishedStream, firstSequence: number): void {
    const { ports, clock, hub, keeper } = this.#options;
    const output = new HlsStream({
      stream,
      config: this.config,
      ports,
      memory: this.#memory,
      disk: this.#disk,
      keeper,
      clock,
      wallClock: this.#wallClock,
      handOverMs: () => handOverMs(this.#live.size),
      firstSequence,
    });
    const running: Running = { output, attached: undefined };
    this.#running.set(toStreamUrl(stream.key), running);
    this.#ticker.wake();
    running.attached = hub.attach(stream.key, output, { fromGopCache: true });
  }

  #endStream(stream: PublishedStream): void {
    const url = toStreamUrl(stream.key);
    this.#live.delete(url);
    const running = this.#running.get(url);
    if (running === undefined) return;
    running.output.unpublish();
    running.attached?.detach();
    running.attached = undefined;
  }

  #sweep(now: number): boolean {
    this.#leftoversGoAtMs ??= now + leftoverSegmentsKeptMs;
    if (now >= this.#leftoversGoAtMs) {
      this.#leftoversGoAtMs = Number.POSITIVE_INFINITY;
      if (this.config.enabled) this.#track(this.#removeLeftovers(0));
    }
    for (const [url, { output }] of this.#running) {
      output.sweep(now);
      if (output.disposeAtMs === undefined || output.disposeAtMs > now) continue;
      this.#running.delete(url);
      this.#dispose(output);
    }
    for (const output of this.#retired) {
      if (output.disposeAtMs !== undefined && output.disposeAtMs > now) continue;
      this.#retired.delete(output);
      this.#dispose(output);
    }
    return this.#running.size + this.#retired.size > 0 || this.#leftoversGoAtMs !== Number.POSITIVE_INFINITY;
  }

  /** Ends an output of a previous configuration. Its files expire as after the end of a stream. */
  #retire(output: HlsStream): void {
    if (output.isPublished) output.unpublish();
    this.#retired.add(output);
    this.#ticker.wake();
  }

  #dispose(output: HlsStream): void {
    const successor = this.#running.get(toStreamUrl(output.key))?.output;
    const isElsewhere = this.#options.origins?.publishedSince(output.key) !== undefined;
    this.#track(output.dispose({ keepsPlaylist: isElsewhere || successor?.playlistPath === output.playlistPath }));
  }

  /** Removes files of a previous run. @param keptMs maximum age of segments that stay, milliseconds. */
  async #removeLeftovers(keptMs: number): Promise<void> {
    const { path } = this.config;
    const { origins } = this.#options;
    await origins?.whenKnown();
    const limits = {
      segmentsMs: this.#startedAtMs - keptMs,
      othersMs: this.#startedAtMs,
      ...(origins && { othersPublishSince: (key: StreamKey) => origins.publishedSince(key) }),
    };
    const removed = await removeLeftovers(path, limits);
    if (removed > 0) this.#options.ports.log.info({ path, removed }, 'HLS files of a previous run were removed');
  }

  #track(work: Promise<void>): void {
    this.#disposals.add(work);
    const onFailure = (error: unknown): void =>
      faultReporter(this.#options.ports)(error, {}, 'HLS files could not be removed');
    work.catch(onFailure).finally(() => this.#disposals.delete(work));
  }
}
