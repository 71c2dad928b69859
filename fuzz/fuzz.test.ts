// The part of `npm run fuzz` that runs with the tests: stored failures, then a fixed number of inputs with a fixed seed.
import { expect, it } from 'vitest';
import { corpusOf } from './corpus.ts';
import { mutate } from './mutate.ts';
import { createRandom } from './random.ts';
import { FuzzRun } from './runner.ts';
import { parserTarget } from './target.ts';
import { targets } from './targets.ts';

const seed = 7;

it.each(targets)('$name: throws only its documented errors', async (target) => {
  const run = new FuzzRun(target, seed);
  await run.open();
  try {
    for (const { input } of corpusOf(target.name)) await run.replay(input);
    await run.advance(({ inputs, failures }) => inputs >= target.testInputs || failures.length > 0);
  } finally {
    await run.close();
  }
  const [failure] = run.failures;
  expect(failure && `${failure.input.toString('base64')}: ${failure.error.stack}`).toBeUndefined();
});

it('finds a planted error, and the same one again with the same seed', async () => {
  const seeds = [Buffer.from('0102030405', 'hex')];
  const parse = (input: Buffer) => {
    if (input[2] === 0xff) throw new TypeError('planted');
  };
  const find = async () => {
    const run = new FuzzRun(parserTarget({ name: 'planted', seeds, parse }), seed);
    await run.advance(({ inputs, failures }) => failures.length > 0 || inputs > 10_000);
    return { inputs: run.inputs, error: run.failures[0]?.error.message };
  };
  const first = await find();
  expect(first.error).toBe('planted');
  expect(await find()).toEqual(first);
});

it('mutates bytes without changing the original', () => {
  const input = Buffer.alloc(64, 7);
  const random = createRandom(seed, 'mutate');
  const results = new Set(Array.from({ length: 200 }, () => mutate(input, [input], random).toString('hex')));
  expect(results.size).toBeGreaterThan(150);
  expect(input).toEqual(Buffer.alloc(64, 7));
});
