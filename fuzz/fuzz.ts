// `npm run fuzz -- --minutes 2 --seed 7 [--only name] [--inputs 10000000]`: runs all targets in turn, for a time or a number of inputs.
// Failing inputs are stored in fuzz/corpus/ and run first in later runs. The exit code is not 0 if an input failed.
import { parseArgs } from 'node:util';
import { corpusOf, keepInput } from './corpus.ts';
import { FuzzRun } from './runner.ts';
import { targets } from './targets.ts';

/** Time that each target runs before the next target, milliseconds. */
const turnMs = 500;
/** Number of distinct failures after which a target is skipped. */
const maxFailures = 20;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    inputs: { type: 'string' },
  },
});
const seed = Number(values.seed);
const maxInputs = values.inputs === undefined ? Number.POSITIVE_INFINITY : Number(values.inputs);
const deadlineMs =
  performance.now() + (values.inputs === undefined ? Number(values.minutes) * 60_000 : Number.POSITIVE_INFINITY);
const chosen = targets.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0 || !Number.isInteger(seed) || Number.isNaN(deadlineMs) || Number.isNaN(maxInputs)) {
  console.error(
    `usage: npm run fuzz -- [--minutes 1] [--seed 1] [--inputs n] [--only ${targets.map(({ name }) => name).join('|')}]`,
  );
  process.exit(64);
}

const runs = chosen.map((target) => new FuzzRun(target, seed));
for (const run of runs) {
  await run.open();
  for (const { input } of corpusOf(run.target.name)) await run.replay(input);
}
const total = () => runs.reduce((sum, { inputs }) => sum + inputs, 0);
const isOver = () => performance.now() >= deadlineMs || total() >= maxInputs;
while (!isOver()) {
  const open = runs.filter(({ failures }) => failures.length < maxFailures);
  if (open.length === 0) break;
  for (const run of open) {
    const turnEndsMs = performance.now() + turnMs;
    const left = maxInputs - total();
    const before = run.inputs;
    await run.advance(
      ({ inputs, failures }) =>
        performance.now() >= Math.min(turnEndsMs, deadlineMs) ||
        inputs - before >= left ||
        failures.length >= maxFailures,
    );
  }
}
for (const run of runs) await run.close();

for (const { target, inputs, spentMs, failures } of runs) {
  const perSecond = Math.round(inputs / Math.max(0.001, spentMs / 1_000));
  console.log(`${failures.length === 0 ? '✓' : '✗'} ${target.name}: ${inputs} inputs, ${perSecond} per second`);
  for (const { input, error } of failures) {
    console.log(
      `    ${keepInput(target.name, input)}\n    ${(error.stack ?? error.message).split('\n').slice(0, 4).join('\n    ')}`,
    );
  }
}
const failed = runs.reduce((sum, { failures }) => sum + failures.length, 0);
console.log(`${total()} inputs with seed ${seed}, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
