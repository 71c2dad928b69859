// Calls again and again while there is something to look after, and not at all otherwise: each call wakes the process, which on a server
// that does nothing costs more than the look. All tickers keep to one grid, so that those due at the same time share a wake-up.
import { outsideSessions } from '../session-scope.ts';

export interface RestingTickerOptions {
  /** Between two calls, milliseconds. */
  readonly everyMs: number;
  /** Looks after what there is; false when nothing is left, until the next `wake`. */
  readonly tick: () => boolean;
}

export class RestingTicker {
  readonly #options: RestingTickerOptions;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RestingTickerOptions) {
    this.#options = options;
  }

  /** There is something to look after: `everyMs` from now at the latest. */
  wake(): void {
    if (this.#timer === undefined && !this.#isClosed) this.#plan(this.#leftMs());
  }

  /** For good. Idempotent. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** To the next point of the grid. */
  #leftMs(): number {
    const { everyMs } = this.#options;
    return everyMs - (performance.now() % everyMs);
  }

  /** Of nobody's session: it looks after all of them. */
  #plan(delayMs: number): void {
    this.#timer = outsideSessions(() => setTimeout(() => this.#run(), delayMs)).unref();
  }

  #run(): void {
    const { everyMs } = this.#options;
    this.#timer = undefined;
    const leftMs = this.#leftMs();
    // A timer may come a moment early.
    const nextMs = leftMs < everyMs / 2 ? leftMs + everyMs : leftMs;
    let goesOn = true;
    try {
      goesOn = this.#options.tick();
    } finally {
      // Whoever was woken meanwhile has planned, and a tick that failed is followed by others.
      if (goesOn && this.#timer === undefined && !this.#isClosed) this.#plan(nextMs);
    }
  }
}
