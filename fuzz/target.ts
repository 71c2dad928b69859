// A fuzz target: takes bytes and must either succeed or fail with its documented error.
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';

export interface FuzzTarget {
  readonly name: string;
  /** Number of inputs in the test run. */
  readonly testInputs: number;
  /** Generates the next input, using only `random`. */
  generate(random: Random): Buffer;
  /** Throws or rejects on a bug. */
  run(input: Buffer): void | Promise<void>;
  /** `open` runs before the first input, `close` after the last one. */
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/** Inputs per parser in the test run. */
const parserTestInputs = 10_000;

export interface ParserTarget {
  readonly name: string;
  /** Valid inputs. */
  readonly seeds: readonly Buffer[];
  /** Names of errors that are expected results, not bugs. */
  readonly refusals?: readonly string[];
  parse(input: Buffer): unknown;
}

/** A parser: takes mutated valid input and returns a value or throws one of its documented errors. */
export function parserTarget({ name, seeds, refusals = ['ProtocolError'], parse }: ParserTarget): FuzzTarget {
  return {
    name,
    testInputs: parserTestInputs,
    generate: (random) => mutate(random.pick(seeds), seeds, random),
    run(input) {
      try {
        parse(input);
      } catch (error) {
        if (!refusals.includes((error as Error)?.name) && !refusals.includes((error as Error)?.constructor?.name))
          throw error;
      }
    },
  };
}

/**
 * Splits the input as a network would deliver it. The positions are derived from the bytes, so that the input alone reproduces a failure.
 */
export function* piecesOf(input: Buffer): Generator<Buffer> {
  let offset = 0;
  for (let step = input.length; offset < input.length; step = Math.imul(step, 31) + (input[offset] ?? 0)) {
    const length = 1 + (Math.abs(step) % (step % 3 === 0 ? 7 : 1_500));
    yield input.subarray(offset, offset + length);
    offset += length;
  }
}
