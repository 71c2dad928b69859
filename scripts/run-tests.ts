// `npm test`: installs missing programs if possible, builds the console, and runs all checks and the tests for every change. `npm run
// test:rest` (`--rest`) runs the longer tests and adds the counts of the previous `npm test`. The last line is `N passed, N failed`, where
// a check counts as a test. The exit code is 0 only without failures. `TEST_MINUTES` limits the time of the run: files that cannot finish
// in time are not started, but listed, and count neither as passed nor as failed. `--times` prints the duration of each file, and stores
// the durations for the order and estimates of later runs.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../packages/stack/src/console-build.ts';
import { ensurePrograms } from '../packages/stack/src/system-programs.ts';
import { type Check, checks, describeResult, longChecks, runChecks } from './checks.ts';
import { openAdmission } from './test-run/admission-server.ts';
import { describeTimes, keepTimes, knownTimes, knownTimesByPath } from './test-run/known-times.ts';
import { programsPerSecond, x264FramesPerSecond } from './test-run/machine-speed.ts';
import { openMemoryFolder } from './test-run/memory-folder.ts';
import { hungPattern, slownessOf, slownessVariable } from './test-run/patience.ts';
import { bundleProduct } from './test-run/product-bundles.ts';
import {
  addCounts,
  artifactsFolder,
  countsAfterAgain,
  countsOf,
  filesToRunAgain,
  listFiles,
  readReport,
  removeReport,
  type TestCounts,
  type Tier,
  untilVariable,
  writeReport,
} from './test-run/run-report.ts';
import { longTestPrograms, testPrograms } from './test-run/test-programs.ts';
import { filesBehindQuick } from './test-run/test-tiers.ts';
import { fitsInto, paceOf } from './test-run/time-left.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
/**
 * A failed test is retried once, so that a flaky test does not invalidate the run. A test that passes only then is reported. A test that
 * hung is not retried; its whole file runs again later, alone.
 */
const retries = ['--retry.count=1', `--retry.condition=^(?!${hungPattern.source.slice(1)})`];
const ownFlags = ['--rest', '--times'];
const flags = process.argv.slice(2);
const tier: Tier = flags.includes('--rest') ? 'rest' : 'quick';
const say = (line: string) => console.log(line);
/** With `TEST_STRICT` (`npm run test:all`), a test that passes only at its second attempt counts as failed. */
const isStrict = process.env.TEST_STRICT === 'on';
const startedAt = performance.now();
const minutes = Number(process.env.TEST_MINUTES ?? Number.POSITIVE_INFINITY);
const untilMs = Date.now() + minutes * 60_000;
if (untilMs < Number.POSITIVE_INFINITY) process.env[untilVariable] = String(untilMs);
/** Temporary folder in memory for `npm test`. The tests of `npm run test:rest` install and build whole releases and need more space. */
const memoryFolder = tier === 'quick' && !process.env.TMPDIR ? openMemoryFolder() : undefined;
process.on('exit', () => memoryFolder?.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (minutes <= 0 && tier === 'rest') {
  say('There is no time left for any test file.');
  finish(countsBefore());
}
if (tier === 'quick') rmSync(artifactsFolder, { recursive: true, force: true });
removeReport(tier);
removeReport(`${tier}-again`);
try {
  await ensurePrograms(tier === 'quick' ? testPrograms : [...testPrograms, ...longTestPrograms], {
    say,
    retryCommand: 'npm test',
  });
} catch (error) {
  console.error((error as Error).message);
  finish({ passed: 0, failed: 1, skipped: 0 });
}

// Measured before anything else runs. A busy machine gets longer timeouts.
const framesPerSecond = await x264FramesPerSecond();
const programs = programsPerSecond();
const slowness = slownessOf(framesPerSecond, programs, availableParallelism());
say(
  `this machine: ${framesPerSecond.toFixed(0)} frames per second of x264 (medium, 1280 × 720), ${programs.toFixed(0)} starts of Node per second`,
);

const knownSecondsOf = knownTimesByPath();
/** Factor from known durations to durations on this machine, measured by the previous `npm test`. */
const pace = paceOf(readReport('quick')?.files ?? [], knownTimes());
const hasTime = (path: string) => fitsInto(untilMs, knownSecondsOf(relative(checkout, path)), pace);
const admission = await openAdmission(hasTime);
process.on('exit', () => admission.close());

// The checks run in the background, in parallel with the build and the tests.
const checked = countChecks(tier === 'quick' ? checks : longChecks);
const tested = build().then(runTests, (error: Error) => {
  console.error(error.message);
  return { passed: 0, failed: 1, skipped: 0 };
});
const before = tier === 'quick' ? [] : [countsBefore()];
const counts = addCounts(...before, ...(await Promise.all([checked, tested])));
if (flags.includes('--times')) showTimes();
finish(counts);

async function build(): Promise<void> {
  [, process.env.PRODUCT_PRELOAD] = await Promise.all([ensureConsoleBuild({ checkout, say }), bundleProduct(checkout)]);
}

async function countChecks(list: readonly Check[]): Promise<TestCounts> {
  const results = await runChecks(list, (result) => say(describeResult(result)));
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed, skipped: 0 };
}

function countsBefore(): TestCounts {
  const before = readReport('quick');
  if (!before) say('There is no complete earlier run of npm test: this counts as one failure');
  return before ?? { passed: 0, failed: 1, skipped: 0 };
}

async function runTests(): Promise<TestCounts> {
  const extra = flags.filter((flag) => !ownFlags.includes(flag));
  const exitCode = await runVitest([...retries, ...extra]);
  const report = readReport(tier);
  const counts = countsOf(report, exitCode);
  const files = filesToRunAgain(report).filter(({ path }) => hasTime(path));
  if (files.length === 0) return counts;
  // Other processes may have taken CPU time from a test, so failed files run again alone.
  await checked;
  say(`\nRunning ${files.length} failed files again, without other files in parallel ...`);
  const projects = [...new Set(files.map(({ project }) => project))].map((project) => `--project=${project}`);
  const paths = files.map(({ path }) => path);
  const againCode = await runVitest([...projects, '--no-file-parallelism', ...paths], { TEST_AGAIN: 'on' });
  const againReport = readReport(`${tier}-again`);
  // If the second run of a file was interrupted, the file has not passed.
  if (againReport && againReport.notFinished.length > 0) return counts;
  const again = countsOf(againReport, againCode);
  if (again.failed === 0) say(`\nPASSED ONLY WHEN RUN AGAIN ALONE, a fault to fix:\n  ${paths.join('\n  ')}`);
  return isStrict ? counts : countsAfterAgain(counts, files, again);
}

async function runVitest(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<number> {
  const vitest = join(checkout, 'node_modules/vitest/vitest.mjs');
  const temporary = memoryFolder ? { TMPDIR: memoryFolder.path } : {};
  const forTests = { TEST_TIER: tier, TEST_ADMISSION: admission.path, [slownessVariable]: String(slowness) };
  const env = { ...process.env, ...forTests, ...temporary, ...more };
  const all = [vitest, 'run', '--reporter=./scripts/test-run/run-reporter.ts', ...args];
  return new Promise<number>((resolve) => {
    const child = spawn(process.execPath, all, { cwd: checkout, stdio: 'inherit', env });
    // If this process ends, its tests must end too.
    const end = (): void => void child.kill();
    process.once('exit', end);
    child.once('exit', (code) => {
      process.off('exit', end);
      resolve(code ?? 1);
    });
  });
}

function showTimes(): void {
  const { files } = readReport(tier) ?? { files: [] };
  keepTimes(files);
  for (const line of describeTimes(files)) say(line);
}

function sayLeftOut(notFinished: readonly string[]): void {
  const everything = '`npm run test:all` runs everything';
  if (notFinished.length > 0)
    say(
      `NOT RUN within ${minutes} minutes: ${notFinished.length} files (${listFiles(notFinished)}); runs at later commits start with other files; ${everything}`,
    );
  if (tier === 'quick')
    say(
      `ONLY IN npm run test:rest, which starts with other files at later commits: ${filesBehindQuick().length} files; ${everything}`,
    );
}

function finish(counts: TestCounts): never {
  const { passed, skipped } = counts;
  const failed = counts.failed + (isStrict ? (readReport(tier)?.secondAttempts.length ?? 0) : 0);
  const report = readReport(tier);
  if (report) writeReport(tier, { ...report, ...counts, failed });
  say(`\n${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes; screens and logs: artifacts/tests`);
  if (skipped > 0) say(`${skipped} skipped`);
  sayLeftOut(report?.notFinished ?? []);
  say(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
