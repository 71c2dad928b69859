// Rewind windows of all streams. Stores finished segments of HLS for the configured time while disk space is left. Finds stored segments
// again after a restart. Failures never affect live viewers.
import { statfs } from 'node:fs/promises';
import { defaultVhost, type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { RewindSegment } from '@srs-stack/playback/rewind/rewind-names.ts';
import { isRewound, noRewind, type RewindSettings } from '@srs-stack/playback/rewind/rewind-settings.ts';
import type { RewindConfig } from '../../engine-config.ts';
import type { EngineLogger, StreamOrigins } from '../../ports.ts';
import { RewindFiles } from './rewind-files.ts';
import { RewindStream } from './rewind-stream.ts';
import type { FinishedSegment } from './rewind-window.ts';

export interface RewindOutputOptions {
  readonly config: RewindConfig;
  readonly log: EngineLogger;
  readonly isPublished: (key: StreamKey) => boolean;
  readonly origins?: Pick<StreamOrigins, 'publishedSince' | 'whenKnown' | 'onAppear'>;
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number;
  /** Space on the file system, bytes; replaced in tests. */
  readonly measureDisk?: (path: string) => Promise<{ freeBytes: number; totalBytes: number }>;
}

/** Interval of checks of the windows, milliseconds. Limits may be exceeded for this time. */
const sweepIntervalMs = 5_000;
/**
 * A segment's file is removed this time after its removal from the playlist, milliseconds. Players may have loaded the playlist before (RFC
 * 8216 §6.2.2).
 */
const removeAfterMs = 60_000;
/** Interval at which the first gateway searches for abandoned windows, milliseconds. */
const adoptIntervalMs = 60_000;
/** Free space left for recordings: bytes, or a fraction of the disk if that is less. */
const reserveBytes = 512 * 1024 * 1024;
const reserveShare = 0.05;
/** Storing resumes at this multiple of the reserve, to avoid flapping. */
const resumeReserves = 1.25;
/**
 * Fraction of the stored bytes that each check removes while the disk is full. Also the fraction of the maximum size below which the
 * warning about that size can be repeated.
 */
const fullDiskShare = 0.5;

interface Expired {
  readonly key: StreamKey;
  readonly segments: readonly RewindSegment[];
  readonly removeAtMs: number;
}

export class RewindOutput {
  readonly files: RewindFiles;
  readonly #options: RewindOutputOptions;
  readonly #wallClock: () => number;
  readonly #streams = new Map<string, RewindStream>();
  readonly #loading = new Map<string, Promise<RewindStream>>();
  readonly #timer: NodeJS.Timeout;
  readonly #unobserve: (() => void) | undefined;
  #settings: RewindSettings = noRewind;
  #isConfigured = false;
  #expired: Expired[] = [];
  #adoptAtMs = 0;
  #isDiskFull = false;
  #isOverLimit = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: RewindOutputOptions) {
    this.#options = options;
    this.#wallClock = options.wallClock ?? Date.now;
    this.files = new RewindFiles(options.config.folder);
    this.#timer = setInterval(() => this.#sweepSoon(), sweepIntervalMs);
    this.#timer.unref();
    // Forgets a stream that another gateway publishes now, because that gateway continues the folder.
    this.#unobserve = options.origins?.onAppear((key) => this.#streams.delete(toStreamUrl(key)));
  }

  /** Sets the configured windows. Before the first call, nothing is stored or removed. */
  configure(settings: RewindSettings): void {
    this.#settings = settings;
    this.#isConfigured = true;
    this.#adoptAtMs = 0;
    this.#sweepSoon();
  }

  isRewound(key: StreamKey): boolean {
    return key.vhost === defaultVhost && isRewound(this.#settings, key);
  }

  /** Stores a finished segment of HLS. Never rejects. */
  async take(key: StreamKey, source: string, finished: FinishedSegment): Promise<void> {
    if (!this.isRewound(key)) return;
    const stream = await this.#open(key);
    if (this.#isDiskFull) return stream.window.break();
    const segment = stream.window.place(finished);
    try {
      await this.files.take(source, this.files.segmentPath(key, segment));
      stream.add(segment);
    } catch (error) {
      stream.window.break();
      this.#options.log.warn({ stream: toStreamUrl(key), err: error }, 'segment could not be stored for rewinding');
      return;
    }
    this.#expire(stream, stream.window.dropBefore(this.#keptFrom(stream)));
  }

  miss(key: StreamKey): void {
    this.#streams.get(toStreamUrl(key))?.window.break();
  }

  /** Media in the window, milliseconds; undefined when this gateway keeps no window of the stream. */
  heldMs(key: StreamKey): number | undefined {
    return this.isRewound(key) ? this.#streams.get(toStreamUrl(key))?.window.durationMs : undefined;
  }

  /**
   * Window of a stream. A window that this gateway does not hold is read from its folder. Undefined if no window is configured, or if the
   * folder has no segments and the stream is not published here.
   */
  async find(key: StreamKey): Promise<RewindStream | undefined> {
    if (!this.isRewound(key)) return undefined;
    const known = this.#streams.get(toStreamUrl(key));
    if (known) return known;
    if (this.#options.isPublished(key)) return this.#open(key);
    const segments = await this.files.read(key);
    return segments.length === 0 ? undefined : this.#toStream(key, segments);
  }

  /** Checks the limits now. Checks never overlap. Never rejects. */
  sweep(): Promise<void> {
    const { log } = this.#options;
    const onFailure = (error: unknown): void =>
      log.error({ err: error }, 'limits of the rewind windows could not be checked');
    this.#work = this.#work.then(() => this.#look()).catch(onFailure);
    return this.#work;
  }

  #sweepSoon(): void {
    const { log } = this.#options;
    this.sweep().catch((error: unknown) =>
      log.error({ err: error }, 'limits of the rewind windows could not be checked'),
    );
  }

  async #look(): Promise<void> {
    if (!this.#isConfigured) return;
    const now = this.#wallClock();
    await this.#adopt(now);
    for (const stream of this.#streams.values()) this.#expire(stream, stream.window.dropBefore(this.#keptFrom(stream)));
    this.#holdLimit();
    await this.#lookAtDisk();
    await this.#removeExpired(now);
  }

  /** Files stay for the next run. Idempotent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#unobserve?.();
    await this.#work;
  }

  #open(key: StreamKey): Promise<RewindStream> {
    const url = toStreamUrl(key);
    const known = this.#streams.get(url);
    if (known) return Promise.resolve(known);
    const begun = this.#loading.get(url) ?? this.#load(key, url).finally(() => this.#loading.delete(url));
    this.#loading.set(url, begun);
    return begun;
  }

  async #load(key: StreamKey, url: string): Promise<RewindStream> {
    const segments = await this.files.read(key);
    const stream = this.#streams.get(url) ?? this.#toStream(key, segments);
    this.#streams.set(url, stream);
    return stream;
  }

  #toStream(key: StreamKey, segments: readonly RewindSegment[]): RewindStream {
    const { isPublished } = this.#options;
    const { vhost, app, stream } = key;
    const name = { vhost, app, stream };
    return new RewindStream({
      ...{ key: name, segments, wallClock: this.#wallClock },
      isPublished: () => isPublished(name),
    });
  }

  /** Segments that ended before this time are removed, milliseconds since 1970. */
  #keptFrom({ key, window, isPublished }: RewindStream): number {
    if (!this.isRewound(key)) return Number.POSITIVE_INFINITY;
    const { minutes, recorded } = this.#settings;
    const endMs = isPublished ? (window.endMs ?? 0) : this.#wallClock();
    const recording = recorded.find(({ app, stream }) => app === key.app && stream === key.stream);
    return Math.min(endMs - minutes * 60_000, recording?.sinceMs ?? Number.POSITIVE_INFINITY);
  }

  /** Loads windows of a previous run. Only the first gateway does so; other gateways load the windows of streams that they publish. */
  async #adopt(now: number): Promise<void> {
    const { config, origins } = this.#options;
    if (!config.keepsOrphans || now < this.#adoptAtMs) return;
    this.#adoptAtMs = now + adoptIntervalMs;
    await origins?.whenKnown();
    const keyOf = (name: { app: string; stream: string }): StreamKey => ({ vhost: defaultVhost, ...name });
    const isKept = (key: StreamKey): boolean =>
      this.#streams.has(toStreamUrl(key)) ||
      this.#loading.has(toStreamUrl(key)) ||
      origins?.publishedSince(key) !== undefined;
    for (const { app, stream, segments } of await this.files.findAll((name) => isKept(keyOf(name)))) {
      const key = keyOf({ app, stream });
      if (!isKept(key)) this.#streams.set(toStreamUrl(key), this.#toStream(key, segments));
    }
  }

  /** Enforces this gateway's share of the size limit: removes the oldest segments of all windows first. */
  #holdLimit(): void {
    const { log, config } = this.#options;
    const maxBytes = this.#settings.maxBytes / config.gateways;
    const dropped = this.#dropOldest(this.#sizeBytes - maxBytes, removeAfterMs);
    if (dropped && !this.#isOverLimit) {
      log.warn({ maxBytes }, 'rewind windows are shorter than configured: the limit of their total size is reached');
    }
    this.#isOverLimit ||= dropped;
    if (this.#sizeBytes < maxBytes * fullDiskShare) this.#isOverLimit = false;
  }

  async #lookAtDisk(): Promise<void> {
    const { measureDisk = measure, log } = this.#options;
    const found = this.#streams.size > 0 ? await measureDisk(this.files.root).catch(() => undefined) : undefined;
    if (found === undefined) return;
    const reserve = Math.min(reserveBytes, found.totalBytes * reserveShare);
    const isFull = found.freeBytes < reserve * (this.#isDiskFull ? resumeReserves : 1);
    if (isFull !== this.#isDiskFull) {
      const fields = { freeBytes: found.freeBytes };
      if (isFull) log.error(fields, 'the disk is full: rewind windows lose old segments and store no new ones');
      else log.info(fields, 'disk space is available again: rewind windows store new segments');
    }
    this.#isDiskFull = isFull;
    if (isFull) this.#dropOldest(this.#sizeBytes * fullDiskShare, 0);
  }

  get #sizeBytes(): number {
    let sum = 0;
    for (const { window } of this.#streams.values()) sum += window.sizeBytes;
    return sum;
  }

  #dropOldest(surplusBytes: number, afterMs: number): boolean {
    let left = surplusBytes;
    while (left > 0) {
      let oldest: RewindStream | undefined;
      for (const stream of this.#streams.values()) {
        if ((stream.window.startMs ?? Infinity) < (oldest?.window.startMs ?? Infinity)) oldest = stream;
      }
      const [dropped] = oldest?.window.dropFirst(1) ?? [];
      if (!oldest || !dropped) break;
      left -= dropped.sizeBytes;
      this.#expire(oldest, [dropped], afterMs);
    }
    return left < surplusBytes;
  }

  #expire({ key }: RewindStream, segments: readonly RewindSegment[], afterMs = removeAfterMs): void {
    if (segments.length === 0) return;
    const removeAtMs = this.isRewound(key) ? this.#wallClock() + afterMs : 0;
    this.#expired.push({ key, segments, removeAtMs });
  }

  async #removeExpired(now: number): Promise<void> {
    const due = this.#expired.filter(({ removeAtMs }) => removeAtMs <= now);
    this.#expired = this.#expired.filter(({ removeAtMs }) => removeAtMs > now);
    for (const { key, segments } of due) await this.files.remove(key, segments);
    const hasFiles = new Set(this.#expired.map(({ key }) => toStreamUrl(key)));
    for (const [url, { key, window, isPublished }] of this.#streams) {
      if (window.segments.length > 0 || isPublished || hasFiles.has(url)) continue;
      this.#streams.delete(url);
      await this.files.removeFolder(key);
    }
  }
}

async function measure(path: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
