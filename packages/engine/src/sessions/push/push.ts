// One push from its order until the order is removed. Waits for the stream, connects, sends, and reconnects with back-off. A failing target
// does not affect other targets.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { EngineLogger } from '../../ports.ts';
import { isCopy } from '../../session-info.ts';
import { maskOf } from '../../util/address-secrets.ts';
import { retryDelayMs } from './push-back-off.ts';
import type { PushConnection, PushConnectionEvents } from './push-connection.ts';
import {
  type LastPushFailure,
  noMetrics,
  type PushFailure,
  type PushMetrics,
  type PushOrder,
  type PushSnapshot,
  type PushState,
} from './push-status.ts';

/** After sending for this time, a connection has proved that the target works, milliseconds. The back-off then restarts. */
const provenMs = 30_000;
const noFailure: PushFailure = { reason: 'none', detail: '' };

export interface PushDeps {
  /** Returns the stream if it is published here. A copy from another gateway does not count. */
  readonly findStream: (key: StreamKey) => Stream | undefined;
  /** Opens a connection. */
  readonly connect: (order: PushOrder, stream: Stream, events: PushConnectionEvents) => PushConnection;
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly delay?: { startsInMs(now: number): number | undefined; readonly droppedFrames: number };
  /** Called once. */
  readonly onClose?: () => void;
}

export class Push {
  readonly order: PushOrder;
  readonly #deps: PushDeps;
  readonly #mask: (text: string) => string;
  #connection: PushConnection | undefined;
  #stream: Stream | undefined;
  #failure: PushFailure = noFailure;
  #lastFailure: (PushFailure & { readonly atMs: number }) | undefined;
  #failures = 0;
  #nextAtMs = 0;
  #attempts = 0;
  #attemptAtMs = 0;
  #readyAtMs: number | undefined;
  #lastMetrics: PushMetrics = noMetrics;
  #isClosed = false;

  constructor(order: PushOrder, deps: PushDeps) {
    this.order = order;
    this.#deps = deps;
    this.#mask = maskOf(order);
  }

  /** True when the push has nothing to do until the stream is published. */
  get isResting(): boolean {
    return this.#connection === undefined && this.#deps.findStream(this.order) === undefined;
  }

  get #state(): PushState {
    if (this.#connection) {
      if (this.#readyAtMs === undefined) return 'connecting';
      return this.#stream?.publisher ? 'publishing' : 'paused';
    }
    return this.#failure.reason === 'none' || !this.#deps.findStream(this.order) ? 'waiting' : 'retrying';
  }

  /** Connects when the back-off is over, and applies the time limits. Call a few times per second unless `isResting`. */
  tick(now: number): void {
    const connection = this.#connection;
    if (!connection) {
      if (now >= this.#nextAtMs) this.#connect(now);
      return;
    }
    const { publisher } = this.#stream!;
    const isElsewhere = publisher !== undefined && isCopy(publisher);
    // When the publisher is connected to another gateway, that gateway sends the push.
    if (isElsewhere || (this.#readyAtMs === undefined && publisher === undefined)) this.#disconnect();
    else connection.tick(now);
  }

  /** The stream got a publisher: connects immediately, without back-off. */
  onStreamStart(): void {
    if (this.#connection) return;
    this.#failures = 0;
    this.#connect(this.#deps.clock());
  }

  snapshot(now: number): PushSnapshot {
    const state = this.#state;
    const since = (atMs: number | undefined): number | undefined =>
      this.#connection && atMs !== undefined ? now - atMs : undefined;
    const { delay } = this.#deps;
    const metrics = this.#connection?.metrics ?? this.#lastMetrics;
    return {
      ...{ id: this.order.id, streamUrl: toStreamUrl(this.order), state },
      ...this.#failure,
      ...metrics,
      droppedFrames: metrics.droppedFrames + (delay?.droppedFrames ?? 0),
      startsInMs: delay?.startsInMs(now),
      retryInMs: state === 'retrying' ? Math.max(0, this.#nextAtMs - now) : 0,
      reconnects: Math.max(0, this.#attempts - 1),
      attemptMs: since(this.#attemptAtMs),
      publishingMs: since(this.#readyAtMs),
      lastFailure: this.#lastFailureAt(now),
    };
  }

  #lastFailureAt(now: number): LastPushFailure | undefined {
    if (!this.#lastFailure) return undefined;
    const { reason, detail, atMs } = this.#lastFailure;
    return { reason, detail, agoMs: now - atMs };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disconnect();
    this.#deps.onClose?.();
  }

  #connect(now: number): void {
    const stream = this.#isClosed ? undefined : this.#deps.findStream(this.order);
    if (!stream) return;
    this.#attempts++;
    this.#attemptAtMs = now;
    this.#readyAtMs = undefined;
    this.#stream = stream;
    this.#lastMetrics = noMetrics;
    const connection = this.#deps.connect(this.order, stream, {
      onReady: () => this.#onReady(),
      onFailed: (failure) => this.#onFailed(failure),
      onStreamEnd: () => this.#onStreamEnd(),
    });
    this.#connection = connection;
  }

  #onReady(): void {
    this.#readyAtMs = this.#deps.clock();
    this.#failure = noFailure;
    this.#deps.log.info(this.#fields, 'push started');
  }

  #onFailed({ reason, detail }: PushFailure): void {
    const now = this.#deps.clock();
    if (this.#readyAtMs !== undefined && now - this.#readyAtMs >= provenMs) this.#failures = 0;
    this.#failures++;
    this.#failure = { reason, detail: this.#mask(detail) };
    this.#lastFailure = { ...this.#failure, atMs: now };
    const delayMs = retryDelayMs(reason, this.#failures, this.#deps.random);
    this.#nextAtMs = now + delayMs;
    this.#deps.log.warn({ ...this.#fields, ...this.#failure, retryInMs: delayMs }, 'push failed');
    this.#forget();
  }

  #onStreamEnd(): void {
    this.#deps.log.info(this.#fields, 'push ended: the stream ended');
    this.#failure = noFailure;
    this.#failures = 0;
    this.#nextAtMs = 0;
    this.#forget();
  }

  #disconnect(): void {
    this.#connection?.close();
    this.#forget();
  }

  #forget(): void {
    this.#lastMetrics = this.#connection?.metrics ?? this.#lastMetrics;
    this.#connection = undefined;
    this.#stream = undefined;
    this.#readyAtMs = undefined;
  }

  get #fields(): object {
    return { push: this.order.id, stream: toStreamUrl(this.order) };
  }
}
