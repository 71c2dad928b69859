// Report of a test run: counts, and the duration of each file. The reporter writes it, the test commands read it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `quick` is what `npm test` runs, `rest` what `npm run test:rest` adds. */
export type Tier = 'quick' | 'rest';

export interface FileTime {
  /** Project of the test runner and path from the checkout, e.g. `e2e e2e/matrix.test.ts`. */
  readonly file: string;
  /** Duration of import and tests without the wait for processors, seconds. */
  readonly seconds: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A file in which something failed. */
export interface FailedFile {
  /** Project of the test runner, e.g. `e2e`. */
  readonly project: string;
  /** Path from the checkout, e.g. `e2e/matrix.test.ts`. */
  readonly path: string;
  /** Counts of this file. */
  readonly counts: TestCounts;
}

export interface RunReport extends TestCounts {
  readonly files: readonly FileTime[];
  /** Tests that passed only when they were retried. */
  readonly secondAttempts: readonly string[];
  readonly failedFiles: readonly FailedFile[];
  /** Paths of files that were not started or not finished when the time of the run was over. */
  readonly notFinished: readonly string[];
  /** Errors outside of tests, such as unhandled rejections; not included in the failed tests. */
  readonly errorsOutside: number;
}

/** Screenshots, logs and reports of the tests; emptied by `npm test`. */
export const artifactsFolder = fileURLToPath(new URL('../../artifacts/tests', import.meta.url));

/** A run of the tests of a tier, or of its files that failed. */
export type RunName = Tier | `${Tier}-again`;

/** Time at which a run ends, milliseconds since 1970; files that were not started by then are listed. */
export const untilVariable = 'TEST_UNTIL';

const reportPath = (run: RunName) => join(artifactsFolder, `${run}.json`);

export function writeReport(run: RunName, report: RunReport): void {
  mkdirSync(dirname(reportPath(run)), { recursive: true });
  writeFileSync(reportPath(run), `${JSON.stringify(report, null, 2)}\n`);
}

/** The report of the last run; undefined when there was none, or when it ended before it could write one. */
export function readReport(run: RunName): RunReport | undefined {
  try {
    return JSON.parse(readFileSync(reportPath(run), 'utf8')) as RunReport;
  } catch {
    return undefined;
  }
}

export function removeReport(run: RunName): void {
  rmSync(reportPath(run), { force: true });
}

/**
 * Counts of a run from its report and the exit code of the runner. A run that failed without a failed test (an error outside all tests), or
 * without a report, counts as one failure. Files without time left are no failures.
 */
export function countsOf(report: RunReport | undefined, exitCode: number): TestCounts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped, errorsOutside, notFinished } = report;
  if (errorsOutside > 0) return { passed, failed: failed + 1, skipped };
  const isUnexplained = failed === 0 && exitCode !== 0 && notFinished.length === 0;
  return { passed, failed: isUnexplained ? 1 : failed, skipped };
}

/** With more failed files the cause is not a busy machine, and running them again would double the time of a run that fails anyway. */
const mostFilesRunAgain = 12;

/** Files to run again alone before a run counts as failed; none when too many failed. */
export function filesToRunAgain(report: RunReport | undefined): readonly FailedFile[] {
  const failed = report?.failedFiles ?? [];
  return failed.length > mostFilesRunAgain ? [] : failed;
}

/** Maximum number of files listed at the end of a run; the report has all of them. */
const mostNames = 100;

/** One line of file names without folders and extensions, sorted. @param paths from the checkout. */
export function listFiles(paths: readonly string[]): string {
  const names = paths.map((path) => basename(path).replace(/\.test\.tsx?$/, '')).sort();
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

/** Counts of a run in which the results of the failed files are replaced by those of their second run. */
export function countsAfterAgain(first: TestCounts, files: readonly FailedFile[], again: TestCounts): TestCounts {
  const before = addCounts(...files.map(({ counts }) => counts));
  const replaced = (key: keyof TestCounts) => first[key] - before[key] + again[key];
  return { passed: replaced('passed'), failed: replaced('failed'), skipped: replaced('skipped') };
}

export function addCounts(...all: readonly TestCounts[]): TestCounts {
  const sum = (key: keyof TestCounts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
