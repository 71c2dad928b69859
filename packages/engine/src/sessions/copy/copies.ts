// Copies of streams that another gateway publishes and that are watched here. A copy is pulled once for all viewers, until some time after
// the last viewer. It is pulled again when the connection breaks or the publisher moves to another gateway.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../faults.ts';
import type { StreamHub } from '../../hub/stream-hub.ts';
import type { EngineLogger, StreamOrigins } from '../../ports.ts';
import { outsideSessions } from '../../session-scope.ts';
import type { CopySource } from '../gate/play-gate.ts';
import { CopyPull } from './copy-pull.ts';

/** A copy is kept for this time without viewers, milliseconds, for viewers that reload the page. */
const idleCopyMs = 10_000;
/**
 * Maximum wait of a viewer for the first media of a copy, milliseconds. Media arrives within milliseconds unless the other gateway hangs.
 */
const firstMediaMs = 3_000;

export interface CopiesOptions {
  readonly hub: StreamHub;
  readonly origins: StreamOrigins;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Called when `tick` may have work. The host must then call `tick` until `isIdle`. */
  readonly onWork?: () => void;
}

export class Copies implements CopySource {
  readonly #options: CopiesOptions;
  readonly #pulls = new Map<string, CopyPull>();
  /** Streams whose copy has ended, but may still have waiting viewers. */
  readonly #missed = new Map<string, StreamKey>();
  readonly #unobserve: () => void;
  #isClosed = false;

  constructor(options: CopiesOptions) {
    this.#options = options;
    this.#unobserve = options.origins.onAppear((key) => {
      if (this.#isWanted(key)) this.#open(key);
    });
  }

  has(key: StreamKey): boolean {
    return this.#options.origins.publishedSince(key) !== undefined;
  }

  async ready(key: StreamKey): Promise<void> {
    if (this.#options.hub.isPublished(key) && !this.#pulls.has(toStreamUrl(key))) return;
    if (!this.has(key)) return;
    const pull = this.#open(key);
    if (!pull) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, firstMediaMs);
    });
    await Promise.race([pull.hasBegun, late]);
    clearTimeout(timer);
  }

  /** Whether `tick` has nothing to do, because no copy is pulled or wanted. */
  get isIdle(): boolean {
    return this.#pulls.size === 0 && this.#missed.size === 0;
  }

  /** Ends copies without viewers, and restarts wanted copies. Call a few times per second unless `isIdle`. */
  tick(now: number): void {
    for (const pull of [...this.#pulls.values()]) {
      if (this.#isWanted(pull.key)) pull.idleSinceMs = undefined;
      else pull.idleSinceMs ??= now;
      if (pull.idleSinceMs !== undefined && now - pull.idleSinceMs >= idleCopyMs) pull.close();
    }
    for (const [url, key] of this.#missed) {
      const isHopeless = this.#options.hub.isPublished(key) || !this.#isWanted(key);
      if (isHopeless || this.has(key)) this.#missed.delete(url);
      if (!isHopeless && this.has(key)) this.#open(key);
    }
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#unobserve();
    for (const pull of [...this.#pulls.values()]) pull.close();
    this.#missed.clear();
  }

  #isWanted(key: StreamKey): boolean {
    const { hub } = this.#options;
    const stream = hub.find(key);
    return stream !== undefined && (stream.readerCount > 0 || hub.players.hasSome(stream));
  }

  /** Undefined for a stream that this gateway publishes, and after `close`. */
  #open(key: StreamKey): CopyPull | undefined {
    const url = toStreamUrl(key);
    const known = this.#pulls.get(url);
    if (known || this.#isClosed || this.#options.hub.isPublished(key)) return known;
    const pull = new CopyPull(key, { ...this.#options, onOver: (over) => this.#forget(over) });
    this.#pulls.set(url, pull);
    this.#options.onWork?.();
    // Runs outside any session, because a copy serves many viewers.
    outsideSessions(() => pull.open()).catch((error: unknown) => {
      this.#options.onFault(error, { stream: url }, 'stream could not be pulled from another gateway');
    });
    return pull;
  }

  #forget(pull: CopyPull): void {
    const url = toStreamUrl(pull.key);
    if (this.#pulls.get(url) !== pull) return;
    this.#pulls.delete(url);
    if (!this.#isClosed && this.#isWanted(pull.key)) this.#missed.set(url, pull.key);
    this.#options.onWork?.();
  }
}
