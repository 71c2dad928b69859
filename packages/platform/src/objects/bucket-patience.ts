// Schedules retries of a failing bucket with growing pauses. A change by the operator causes an immediate retry. Stores the failure and its
// start.
import type { BucketProblem } from '@srs-stack/contract';
import { type BackOff, delayMs } from '@srs-stack/process/back-off.ts';
import { toBucketError } from './s3-errors.ts';

/** Pauses between attempts: short for brief outages, growing for permission errors. */
const defaultBackOff: BackOff = { firstMs: 1_000, capMs: 60_000, jitter: 0.2 };

export interface PatienceDeps {
  readonly now: () => Date;
  readonly onReady: () => void;
  /** Called when the bucket begins to fail, when the reason changes, and with null when the bucket works again. */
  readonly onTurn: (problem: BucketProblem | null) => void;
  readonly backOff?: BackOff;
}

export class BucketPatience {
  readonly #deps: PatienceDeps;
  #problem: BucketProblem | null = null;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: PatienceDeps) {
    this.#deps = deps;
  }

  get problem(): BucketProblem | null {
    return this.#problem;
  }

  get isPaused(): boolean {
    return this.#timer !== undefined;
  }

  /** Starts a pause unless one is running. Returns the failure. */
  failed(error: unknown, what: string): BucketProblem {
    const { kind, message: words } = toBucketError(error, what);
    const before = this.#problem;
    if (!this.isPaused) {
      this.#failures += 1;
      const pauseMs = delayMs(this.#deps.backOff ?? defaultBackOff, this.#failures, Math.random);
      this.#timer = setTimeout(() => this.retryNow(), pauseMs).unref();
      const at = this.#deps.now();
      const retryAt = new Date(at.getTime() + pauseMs).toISOString();
      this.#problem = { kind, words, since: before?.since ?? at.toISOString(), retryAt };
    }
    const problem = { ...(this.#problem as BucketProblem), kind, words };
    this.#problem = problem;
    if (before?.kind !== kind) this.#deps.onTurn(problem);
    return problem;
  }

  worked(): void {
    if (this.#problem === null) return;
    this.#end();
    this.#failures = 0;
    this.#problem = null;
    this.#deps.onTurn(null);
    this.#deps.onReady();
  }

  retryNow(): void {
    this.#end();
    if (this.#problem) this.#problem = { ...this.#problem, retryAt: '' };
    this.#deps.onReady();
  }

  /** Clears the failure: the failed operation is no longer needed. */
  reset(): void {
    this.#end();
    this.#failures = 0;
    this.#problem = null;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
