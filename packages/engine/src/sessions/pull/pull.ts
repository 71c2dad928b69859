// One ordered pull: connects, receives, and reconnects with back-off. An on-demand pull runs only while there is demand. A failing source
// does not affect other pulls.
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { EngineLogger } from '../../ports.ts';
import { maskOf } from '../../util/address-secrets.ts';
import { Demand, type DemandDeps } from './demand.ts';
import { retryDelayMs } from './pull-back-off.ts';
import { noMetrics, type PullFailure, type PullMetrics, type PullOrder, type PullSnapshot } from './pull-status.ts';

/** A connection that has received for this time resets the back-off, milliseconds. */
const provenMs = 10_000;
const noFailure: Required<PullFailure> = { reason: 'none', detail: '', fault: 'none', subject: '' };

export interface PullConnectionEvents {
  /** Media arrives. */
  onMedia(): void;
  /** Called last. The connection is closed or closing. */
  onFailed(failure: PullFailure): void;
}

/** One attempt, from its connection to its end. */
export interface PullConnection {
  readonly metrics: PullMetrics;
  /** Applies the time limits. Call a few times per second. */
  tick(now: number): void;
  /** Ends the stream and the connection; no event follows. Default reason: `unpublished`. Idempotent. */
  close(reason?: StreamEndReason): void;
}

export interface PullDeps extends DemandDeps {
  readonly connect: (order: PullOrder, events: PullConnectionEvents) => PullConnection;
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** 0 to 1. */
  readonly random: () => number;
}

export class Pull {
  order: PullOrder;
  readonly #deps: PullDeps;
  readonly #demand: Demand;
  readonly #mask: (text: string) => string;
  #connection: PullConnection | undefined;
  #failure: Required<PullFailure> = noFailure;
  #failures = 0;
  #nextAtMs = 0;
  #attempts = 0;
  #attemptAtMs = 0;
  #mediaAtMs: number | undefined;
  #lastMetrics: PullMetrics = noMetrics;
  #isClosed = false;

  constructor(order: PullOrder, deps: PullDeps) {
    this.order = order;
    this.#deps = deps;
    this.#demand = new Demand(deps);
    this.#mask = maskOf({ server: order.url, key: order.param });
  }

  /**
   * An on-demand pull rests without demand, but not while another publisher sends the stream. When that publisher ends, viewers of the
   * stream or its slate need the pull.
   */
  get isResting(): boolean {
    return !this.#connection && !this.#isWanted(this.#deps.clock()) && !this.#demand.isTaken;
  }

  /** Applies another order for this stream and source. */
  adopt(order: PullOrder): void {
    this.order = order;
  }

  /** Connects when due and wanted, and applies the limits of the connection. Call a few times per second. */
  tick(now: number): void {
    if (this.#isClosed) return;
    if (!this.#isWanted(now)) this.#leave();
    else if (this.#connection) this.#connection.tick(now);
    else if (now >= this.#nextAtMs && !(this.order.onDemand && this.#demand.isTaken)) this.#connect(now);
  }

  request(forMs: number): void {
    this.#demand.request(this.#deps.clock(), forMs);
  }

  /** Whether a waiting viewer can expect the stream within `withinMs`. */
  isStarting(withinMs: number): boolean {
    const { clock } = this.#deps;
    if (this.#isClosed || this.#mediaAtMs !== undefined) return false;
    return this.#connection !== undefined || (!this.#demand.isTaken && this.#nextAtMs - clock() < withinMs);
  }

  onSettled(callback: () => void): () => void {
    return this.#demand.onSettled(callback);
  }

  snapshot(now: number): PullSnapshot {
    const isOpen = this.#connection !== undefined;
    const isPulling = isOpen && this.#mediaAtMs !== undefined;
    // Shows the last failure even while the pull reconnects, so that the operator sees the reason.
    const isRetrying = !isPulling && this.#failure.reason !== 'none';
    const isWaiting = !isOpen && !this.#isWanted(now);
    return {
      ...{ id: this.order.id, streamUrl: toStreamUrl(this.order) },
      state: isPulling ? 'pulling' : isWaiting ? 'waiting' : isRetrying ? 'retrying' : 'connecting',
      ...this.#failure,
      ...(this.#connection?.metrics ?? this.#lastMetrics),
      retryInMs: isRetrying && !isOpen && !isWaiting ? Math.max(0, this.#nextAtMs - now) : 0,
      reconnects: Math.max(0, this.#attempts - 1),
      attemptMs: isOpen ? now - this.#attemptAtMs : undefined,
      pullingMs: isOpen && this.#mediaAtMs !== undefined ? now - this.#mediaAtMs : undefined,
    };
  }

  /** Ends the stream and releases everything. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
    this.#forget();
    this.#demand.settle();
  }

  #isWanted(now: number): boolean {
    return !this.order.onDemand || this.#demand.isWanted(now);
  }

  /** Disconnects without viewers, but keeps the last failure for the operator. */
  #leave(): void {
    const connection = this.#connection;
    if (connection) this.#deps.log.info(this.#fields, 'pull ended: no viewers');
    // `kicked`, because no slate may follow when this server ends the stream.
    connection?.close('kicked');
    this.#forget();
    this.#attempts = 0;
  }

  #connect(now: number): void {
    this.#attempts++;
    this.#attemptAtMs = now;
    this.#mediaAtMs = undefined;
    this.#connection = this.#deps.connect(this.order, {
      onMedia: () => this.#onMedia(),
      onFailed: (failure) => this.#onFailed(failure),
    });
  }

  #onMedia(): void {
    this.#mediaAtMs = this.#deps.clock();
    this.#failure = noFailure;
    this.#deps.log.info(this.#fields, 'pull started');
    this.#demand.settle();
  }

  #onFailed({ reason, detail, fault = 'none', subject = '' }: PullFailure): void {
    const now = this.#deps.clock();
    if (this.#mediaAtMs !== undefined && now - this.#mediaAtMs >= provenMs) this.#failures = 0;
    this.#failures++;
    const isNews = reason !== this.#failure.reason;
    this.#failure = { reason, detail: this.#mask(detail), fault, subject };
    const delayMs = retryDelayMs(this.#failure, this.#failures, this.#deps.random);
    this.#nextAtMs = now + delayMs;
    const { log } = this.#deps;
    // Only a new reason is a warning: a camera that is down for a night fails thousands of times with one reason.
    log[isNews ? 'warn' : 'debug'](
      { ...this.#fields, reason, detail: this.#failure.detail, retryInMs: delayMs },
      'pull failed',
    );
    this.#forget();
    this.#demand.settle();
  }

  #forget(): void {
    this.#lastMetrics = this.#connection?.metrics ?? this.#lastMetrics;
    this.#connection = undefined;
    this.#mediaAtMs = undefined;
  }

  get #fields(): object {
    return { pull: this.order.id, stream: toStreamUrl(this.order) };
  }
}
