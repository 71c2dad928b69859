// A fuzz target: takes bytes and must either succeed, or refuse them with its documented error.
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';

export interface FuzzTarget {
  readonly name: string;
  /** Inputs of it in the test command. */
  readonly testInputs: number;
  /** The next input; from the random numbers alone. */
  generate(random: Random): Buffer;
  /** Throws, or rejects, for what is a fault. */
  run(input: Buffer): void | Promise<void>;
  /** Before the first input, and after the last one. */
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/** Inputs of a parser in the test command. */
const parserTestInputs = 10_000;

export interface ParserTarget {
  readonly name: string;
  /** Real inputs. */
  readonly seeds: readonly Buffer[];
  /** Names of errors that are an answer, not a fault. */
  readonly refusals?: readonly string[];
  parse(input: Buffer): unknown;
}

/** A parser: mutated real bytes in, a value or one of its own refusals out. */
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

/** The input in pieces as a line would deliver them; the cuts follow from the bytes, so that an input alone is the whole case. */
export function* piecesOf(input: Buffer): Generator<Buffer> {
  let offset = 0;
  for (let step = input.length; offset < input.length; step = Math.imul(step, 31) + (input[offset] ?? 0)) {
    const length = 1 + (Math.abs(step) % (step % 3 === 0 ? 7 : 1_500));
    yield input.subarray(offset, offset + length);
    offset += length;
  }
}
