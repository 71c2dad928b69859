// Report of a test run: counts, and the duration of each file. The reporter writes the report, and the test commands read it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `quick`: tests of `npm test`. `rest`: further tests of `npm run test:rest`. */
export type Tier = 'quick' | 'rest';

export interface FileTime {
  /** Project of the test runner, and path relative to the checkout, e.g. `e2e e2e/matrix.test.ts`. */
  readonly file: string;
  /** Duration of import and tests, seconds, without the wait for processors. */
  readonly seconds: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test file with failures. */
export interface FailedFile {
  readonly project: string;
  /** Path relative to the checkout, e.g. `e2e/matrix.test.ts`. */
  readonly path: string;
  readonly counts: TestCounts;
}

export interface RunReport extends TestCounts {
  readonly files: readonly FileTime[];
  readonly secondAttempts: readonly string[];
  readonly failedFiles: readonly FailedFile[];
  /** Paths of files that were not started or not finished when the run's time was over. */
  readonly notFinished: readonly string[];
  /** Number of errors outside of tests, such as unhandled rejections. Failed tests do not include these errors. */
  readonly errorsOutside: number;
}

/** Folder for screenshots, logs and reports of the tests. `npm test` empties it. */
export const artifactsFolder = fileURLToPath(new URL('../../artifacts/tests', import.meta.url));

/** A run of the tests of a tier, or a second run of the failed files (`-again`). */
export type RunName = Tier | `${Tier}-again`;

/** Variable with the time at which a run ends, milliseconds since 1970. Files that were not started by then are listed. */
export const untilVariable = 'TEST_UNTIL';

const reportPath = (run: RunName) => join(artifactsFolder, `${run}.json`);

export function writeReport(run: RunName, report: RunReport): void {
  mkdirSync(dirname(reportPath(run)), { recursive: true });
  writeFileSync(reportPath(run), `${JSON.stringify(report, null, 2)}\n`);
}

/** The report of the last run. Undefined without an earlier run, or if that run ended before it wrote a report. */
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
 * Counts of a run, from its report and the exit code of the runner. A run without a report counts as one failure, and so does a failed run
 * without a failed test. Errors outside all tests add one failure. Files that had no time left are no failures.
 */
export function countsOf(report: RunReport | undefined, exitCode: number): TestCounts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped, errorsOutside, notFinished } = report;
  if (errorsOutside > 0) return { passed, failed: failed + 1, skipped };
  const isUnexplained = failed === 0 && exitCode !== 0 && notFinished.length === 0;
  return { passed, failed: isUnexplained ? 1 : failed, skipped };
}

/**
 * Maximum number of failed files that run again. More failures have a real cause, and running all these files again could double the time
 * of the run.
 */
const mostFilesRunAgain = 12;

/** Files that run again, alone, before the run counts as failed. Empty if too many files failed. */
export function filesToRunAgain(report: RunReport | undefined): readonly FailedFile[] {
  const failed = report?.failedFiles ?? [];
  return failed.length > mostFilesRunAgain ? [] : failed;
}

/** Maximum number of files listed at the end of a run. The report contains all files. */
const mostNames = 100;

/** One line of sorted file names, without folders and extensions. @param paths relative to the checkout. */
export function listFiles(paths: readonly string[]): string {
  const names = paths.map((path) => basename(path).replace(/\.test\.tsx?$/, '')).sort();
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

/** Counts of a run in which the results of the second run replace those of the failed files. */
export function countsAfterAgain(first: TestCounts, files: readonly FailedFile[], again: TestCounts): TestCounts {
  const before = addCounts(...files.map(({ counts }) => counts));
  const replaced = (key: keyof TestCounts) => first[key] - before[key] + again[key];
  return { passed: replaced('passed'), failed: replaced('failed'), skipped: replaced('skipped') };
}

export function addCounts(...all: readonly TestCounts[]): TestCounts {
  const sum = (key: keyof TestCounts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
