// One ordered pull for as long as it is ordered: connects, receives, and connects again with back-off. Its source's failures are its own.
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { EngineLogger } from '../../ports.ts';
import { maskOf } from '../../util/address-secrets.ts';
import { retryDelayMs } from './pull-back-off.ts';
import { noFigures, type PullFailure, type PullFigures, type PullOrder, type PullSnapshot } from './pull-status.ts';

/** A connection that has received for this long proves that the source works: the back-off begins anew, milliseconds. */
const provenMs = 10_000;
const noFailure: Required<PullFailure> = { reason: 'none', detail: '', fault: 'none', subject: '' };

export interface PullConnectionEvents {
  /** Media comes. */
  onMedia(): void;
  /** Last call: the connection is closed, or is being closed. */
  onFailed(failure: PullFailure): void;
}

/** One attempt, from the connection to its end. */
export interface PullConnection {
  readonly figures: PullFigures;
  /** Applies the time limits; call a few times per second. */
  tick(now: number): void;
  /** Ends stream and connection; no event follows. Idempotent. */
  close(): void;
}

export interface PullDeps {
  readonly connect: (order: PullOrder, events: PullConnectionEvents) => PullConnection;
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** 0 to 1. */
  readonly random: () => number;
}

export class Pull {
  readonly order: PullOrder;
  /** A source may be back at any time. */
  readonly isResting = false;
  readonly #deps: PullDeps;
  readonly #mask: (text: string) => string;
  #connection: PullConnection | undefined;
  #failure: Required<PullFailure> = noFailure;
  #failures = 0;
  #nextAtMs = 0;
  #attempts = 0;
  #attemptAtMs = 0;
  #mediaAtMs: number | undefined;
  #lastFigures: PullFigures = noFigures;
  #isClosed = false;

  constructor(order: PullOrder, deps: PullDeps) {
    this.order = order;
    this.#deps = deps;
    this.#mask = maskOf({ server: order.url, key: order.param });
  }

  /** Connects when it is time; applies the limits of the connection. Call a few times per second. */
  tick(now: number): void {
    if (this.#connection) this.#connection.tick(now);
    else if (now >= this.#nextAtMs && !this.#isClosed) this.#connect(now);
  }

  snapshot(now: number): PullSnapshot {
    const isOpen = this.#connection !== undefined;
    const isPulling = isOpen && this.#mediaAtMs !== undefined;
    // Also while it connects again: the operator still sees why the last attempt failed.
    const isRetrying = !isPulling && this.#failure.reason !== 'none';
    return {
      ...{ id: this.order.id, streamUrl: toStreamUrl(this.order) },
      state: isPulling ? 'pulling' : isRetrying ? 'retrying' : 'connecting',
      ...this.#failure,
      ...(this.#connection?.figures ?? this.#lastFigures),
      retryInMs: isRetrying && !isOpen ? Math.max(0, this.#nextAtMs - now) : 0,
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
    // A camera that is away for a night fails thousands of times for the same reason.
    log[isNews ? 'warn' : 'debug'](
      { ...this.#fields, reason, detail: this.#failure.detail, retryInMs: delayMs },
      'pull failed',
    );
    this.#forget();
  }

  #forget(): void {
    this.#lastFigures = this.#connection?.figures ?? this.#lastFigures;
    this.#connection = undefined;
    this.#mediaAtMs = undefined;
  }

  get #fields(): object {
    return { pull: this.order.id, stream: toStreamUrl(this.order) };
  }
}
