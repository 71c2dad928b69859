// Periodic calls while there is work, and none otherwise: each call wakes the process, which on an idle server costs more than the work.
// All tickers share one grid, so that those due at the same time share a wake-up.
import { outsideSessions } from '../session-scope.ts';

export interface RestingTickerOptions {
  /** Interval, milliseconds. */
  readonly everyMs: number;
  /** Does the periodic work; false when none is left, until the next `wake`. */
  readonly tick: () => boolean;
}

export class RestingTicker {
  readonly #options: RestingTickerOptions;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RestingTickerOptions) {
    this.#options = options;
  }

  /** Call when there is work: `tick` is then called within `everyMs`. */
  wake(): void {
    if (this.#timer === undefined && !this.#isClosed) this.#plan(this.#leftMs());
  }

  /** Stops permanently. Idempotent. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Time to the next point of the grid. */
  #leftMs(): number {
    const { everyMs } = this.#options;
    return everyMs - (performance.now() % everyMs);
  }

  /** Starts the timer outside of any session, because it serves all of them. */
  #plan(delayMs: number): void {
    this.#timer = outsideSessions(() => setTimeout(() => this.#run(), delayMs)).unref();
  }

  #run(): void {
    const { everyMs } = this.#options;
    this.#timer = undefined;
    const leftMs = this.#leftMs();
    // A timer may fire slightly early.
    const nextMs = leftMs < everyMs / 2 ? leftMs + everyMs : leftMs;
    let hasMore = true;
    try {
      hasMore = this.#options.tick();
    } finally {
      // A wake during the tick has scheduled the next one; a tick that failed is followed by others.
      if (hasMore && this.#timer === undefined && !this.#isClosed) this.#plan(nextMs);
    }
  }
}
