// `npm test`: installs what the tests need where it may, builds the console, runs all checks and all tests. The last line is
// `N passed, N failed` (a check counts as a test) and the exit code is non-zero on any failure.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../packages/stack/src/console-build.ts';
import { ensurePrograms } from '../packages/stack/src/system-programs.ts';
import { checks, describeResult, runChecks } from './checks.ts';
import { testPrograms } from './test-programs.ts';
import { countTests, type TestCounts, type TestReport } from './test-summary.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
/** A test that fails is tried once more: on a busy machine a real browser or encoder may miss its time once. */
const retries = 1;
const say = (line: string) => console.log(line);

try {
  await ensurePrograms(testPrograms, { say, retryCommand: 'npm test' });
  await ensureConsoleBuild({ checkout, say });
} catch (error) {
  console.error((error as Error).message);
  finish({ passed: 0, failed: 1, skipped: 0 });
}

const checkResults = await runChecks(checks, (result) => say(describeResult(result)));
const tests = await runTests(process.argv.slice(2));
const passedChecks = checkResults.filter((result) => result.passed).length;
finish({
  passed: tests.passed + passedChecks,
  failed: tests.failed + checkResults.length - passedChecks,
  skipped: tests.skipped,
});

/** Runs all test projects; extra arguments go to the test runner. */
async function runTests(extra: readonly string[]): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'srs-stack-tests-'));
  const reportFile = join(folder, 'report.json');
  const vitest = join(checkout, 'node_modules/vitest/vitest.mjs');
  const reporters = ['default', 'json', './scripts/second-attempts.ts'].map((name) => `--reporter=${name}`);
  const args = ['run', `--retry=${retries}`, ...reporters, `--outputFile.json=${reportFile}`, ...extra];
  const exitCode = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, [vitest, ...args], { cwd: checkout, stdio: 'inherit' });
    child.once('exit', (code) => resolve(code ?? 1));
  });
  try {
    return countTests(readReport(reportFile), exitCode);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestReport;
  } catch {
    return undefined;
  }
}

function finish({ passed, failed, skipped }: TestCounts): never {
  if (skipped > 0) say(`${skipped} skipped`);
  say(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
