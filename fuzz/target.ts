// A fuzz target takes bytes. It must either succeed or fail with a documented error.
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';

export interface FuzzTarget {
  readonly name: string;
  /** Number of inputs in the test run. */
  readonly testInputs: number;
  /** Generates the next input. All randomness comes from `random`. */
  generate(random: Random): Buffer;
  run(input: Buffer): void | Promise<void>;
  /** `open` runs before the first input, `close` after the last input. */
  open?(): Promise<void>;
  close?(): Promise<void>;
}

const parserTestInputs = 10_000;

export interface ParserTarget {
  readonly name: string;
  /** Valid inputs. */
  readonly seeds: readonly Buffer[];
  /** Names of documented errors, which are not bugs. */
  readonly refusals?: readonly string[];
  parse(input: Buffer): unknown;
}

/** Creates the target of a parser. Mutated valid input must be parsed or refused with a documented error. */
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
 * Splits the input as a network would deliver it.
 * The bytes of the input determine the positions, so the input alone reproduces a failure.
 */
export function* piecesOf(input: Buffer): Generator<Buffer> {
  let offset = 0;
  for (let step = input.length; offset < input.length; step = Math.imul(step, 31) + (input[offset] ?? 0)) {
    const length = 1 + (Math.abs(step) % (step % 3 === 0 ? 7 : 1_500));
    yield input.subarray(offset, offset + length);
    offset += length;
  }
}
