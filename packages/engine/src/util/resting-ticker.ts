// Calls a function periodically while there is work. Without work, there is no timer, because each wake-up of an idle process costs more
// than the work. Tickers with equal intervals fire at the same time and share a wake-up.
import { outsideSessions } from '../session-scope.ts';

export interface RestingTickerOptions {
  /** Interval, milliseconds. */
  readonly everyMs: number;
  /** Does the periodic work. Return false when no work is left; `wake` starts the calls again. */
  readonly tick: () => boolean;
}

export class RestingTicker {
  readonly #options: RestingTickerOptions;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RestingTickerOptions) {
    this.#options = options;
  }

  /** Call when there is work. `tick` follows within `everyMs`. */
  wake(): void {
    if (this.#timer === undefined && !this.#isClosed) this.#plan(this.#leftMs());
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #leftMs(): number {
    const { everyMs } = this.#options;
    return everyMs - (performance.now() % everyMs);
  }

  /** Starts the timer outside of any session, because the timer serves all sessions. */
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
      // A `wake` during the tick has already set the timer. After an exception, the calls continue.
      if (hasMore && this.#timer === undefined && !this.#isClosed) this.#plan(nextMs);
    }
  }
}
