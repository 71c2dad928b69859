// Runs one target. An input fails with an unexpected error, an uncaught error, or by exceeding the time limit.
import { createRandom, type Random } from './random.ts';
import type { FuzzTarget } from './target.ts';

/** Maximum duration of one input, milliseconds; a slower input fails. A normal input takes a thousandth of this time. */
const maxInputMs = 5_000;

export interface FuzzFailure {
  readonly target: string;
  readonly input: Buffer;
  readonly error: Error;
}

export class FuzzRun {
  readonly target: FuzzTarget;
  inputs = 0;
  spentMs = 0;
  readonly failures: FuzzFailure[] = [];
  readonly #random: Random;
  #uncaught: unknown;
  readonly #catch = (error: unknown) => {
    this.#uncaught ??= error;
  };

  constructor(target: FuzzTarget, seed: number) {
    this.target = target;
    this.#random = createRandom(seed, target.name);
  }

  async open(): Promise<void> {
    await this.target.open?.();
  }

  async replay(input: Buffer): Promise<void> {
    process.on('uncaughtException', this.#catch).on('unhandledRejection', this.#catch);
    try {
      await this.#one(input);
    } finally {
      process.off('uncaughtException', this.#catch).off('unhandledRejection', this.#catch);
    }
  }

  /** Runs inputs until `isOver` returns true, and collects failures. `isOver` is called before each input. */
  async advance(isOver: (run: FuzzRun) => boolean): Promise<void> {
    const startedMs = performance.now();
    process.on('uncaughtException', this.#catch).on('unhandledRejection', this.#catch);
    try {
      while (!isOver(this)) {
        const input = this.target.generate(this.#random);
        this.inputs += 1;
        const outcome = this.#one(input);
        // Most parsers return synchronously: awaiting each result would take longer than the parsing.
        if (outcome) await outcome;
      }
      await new Promise(setImmediate);
    } finally {
      this.spentMs += performance.now() - startedMs;
      process.off('uncaughtException', this.#catch).off('unhandledRejection', this.#catch);
    }
  }

  async close(): Promise<void> {
    await this.target.close?.();
  }

  /** Keeps one failure per code location, with the shortest input. */
  #fail(input: Buffer, error: Error): void {
    const failure = { target: this.target.name, input, error };
    const known = this.failures.findIndex((each) => placeOf(each.error) === placeOf(error));
    if (known < 0) this.failures.push(failure);
    else if (input.length < (this.failures[known] as FuzzFailure).input.length) this.failures[known] = failure;
  }

  #one(input: Buffer): Promise<void> | undefined {
    const startedMs = performance.now();
    const done = (error?: unknown) => {
      const tookMs = performance.now() - startedMs;
      const slow = tookMs > maxInputMs ? new Error(`it took ${Math.round(tookMs)} ms`) : undefined;
      const fault = error ?? this.#uncaught ?? slow;
      this.#uncaught = undefined;
      if (fault !== undefined) this.#fail(Buffer.from(input), toError(fault));
    };
    try {
      const result = this.target.run(input);
      if (result) return result.then(() => done(), done);
      done();
    } catch (error) {
      done(error);
    }
    return undefined;
  }
}

/** Code location of the error: its first stack frames in this repository. */
function placeOf({ stack = '', message }: Error): string {
  const own = stack.split('\n').filter((line) => /\/(?:packages|fuzz)\//.test(line));
  return own.slice(0, 2).join() || message;
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
