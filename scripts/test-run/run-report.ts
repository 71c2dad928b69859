// What a run of tests leaves for the commands around it: counts, and how long each file took. The reporter writes it, the
// test commands read it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `quick` is what `npm test` runs, `rest` what `npm run test:rest` adds. */
export type Tier = 'quick' | 'rest';

export interface FileTime {
  /** Project of the test runner and path from the checkout, e.g. `e2e e2e/matrix.test.ts`. */
  readonly file: string;
  /** Of importing and running it, without the wait for processors, seconds. */
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
  /** From the checkout, e.g. `e2e/matrix.test.ts`. */
  readonly path: string;
  /** Of this file alone. */
  readonly counts: TestCounts;
}

export interface RunReport extends TestCounts {
  readonly files: readonly FileTime[];
  /** Tests that passed only when they were tried again. */
  readonly secondAttempts: readonly string[];
  readonly failedFiles: readonly FailedFile[];
  /** Paths of files that did not begin, or did not get to their end, when the time of the run was over. */
  readonly notFinished: readonly string[];
  /** Errors that belong to no test, such as promises that nobody handles; not among the failed. */
  readonly errorsOutside: number;
}

/** Screens, logs and reports of the tests; emptied by `npm test`. */
export const artifactsFolder = fileURLToPath(new URL('../../artifacts/tests', import.meta.url));

/** A run of the tests of a tier, or of those of its files that failed. */
export type RunName = Tier | `${Tier}-again`;

/** The moment at which a run ends itself, milliseconds since 1970: what has not begun by then is not run, and named. */
export const untilVariable = 'TEST_UNTIL';

const reportPath = (run: RunName) => join(artifactsFolder, `${run}.json`);

export function writeReport(run: RunName, report: RunReport): void {
  mkdirSync(dirname(reportPath(run)), { recursive: true });
  writeFileSync(reportPath(run), `${JSON.stringify(report, null, 2)}\n`);
}

/** The report of the last run; undefined when there was none, or when it ended before it could report. */
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
 * The counts of a run by its report and the exit code of the runner. A run that ended badly without a failed test (an error
 * outside all tests) counts as one failure, and so does a run without a report. Files that a run had no time for are no failure.
 */
export function countsOf(report: RunReport | undefined, exitCode: number): TestCounts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped, errorsOutside, notFinished } = report;
  if (errorsOutside > 0) return { passed, failed: failed + 1, skipped };
  const isUnexplained = failed === 0 && exitCode !== 0 && notFinished.length === 0;
  return { passed, failed: isUnexplained ? 1 : failed, skipped };
}

/** More failed files than this are no accident of a busy machine, and would double the time of a run that fails anyway. */
const mostFilesRunAgain = 12;

/** The files that are run again, alone, before a run counts as failed: none when too many failed. */
export function filesToRunAgain(report: RunReport | undefined): readonly FailedFile[] {
  const failed = report?.failedFiles ?? [];
  return failed.length > mostFilesRunAgain ? [] : failed;
}

/** How many names of files the last lines of a run hold; the report has all of them. */
const mostNames = 100;

/** One line of files without folders and endings, by name. @param paths from the checkout. */
export function listFiles(paths: readonly string[]): string {
  const names = paths.map((path) => basename(path).replace(/\.test\.tsx?$/, '')).sort();
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

/** The counts of a run when those of its failed files are the ones of the run of these files alone. */
export function countsAfterAgain(first: TestCounts, files: readonly FailedFile[], again: TestCounts): TestCounts {
  const before = addCounts(...files.map(({ counts }) => counts));
  const replaced = (key: keyof TestCounts) => first[key] - before[key] + again[key];
  return { passed: replaced('passed'), failed: replaced('failed'), skipped: replaced('skipped') };
}

export function addCounts(...all: readonly TestCounts[]): TestCounts {
  const sum = (key: keyof TestCounts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
