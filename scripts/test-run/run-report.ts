// What a run of tests leaves for the commands around it: counts, and how long each file took. The reporter writes it, the
// test commands read it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `quick` is what `npm test` runs, `rest` what `npm run test:rest` adds. */
export type Tier = 'quick' | 'rest';

export interface FileTime {
  /** Project of the test runner and path from the checkout, e.g. `e2e e2e/matrix.test.ts`. */
  readonly file: string;
  /** From the start of its process to its end, seconds. */
  readonly seconds: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface RunReport extends TestCounts {
  readonly files: readonly FileTime[];
  /** Tests that passed only when they were tried again. */
  readonly secondAttempts: readonly string[];
}

/** Screens, logs and reports of the tests; emptied by `npm test`. */
export const artifactsFolder = fileURLToPath(new URL('../../artifacts/tests', import.meta.url));

const reportPath = (tier: Tier) => join(artifactsFolder, `${tier}.json`);

export function writeReport(tier: Tier, report: RunReport): void {
  mkdirSync(dirname(reportPath(tier)), { recursive: true });
  writeFileSync(reportPath(tier), `${JSON.stringify(report, null, 2)}\n`);
}

/** The report of the last run; undefined when there was none, or when it ended before it could report. */
export function readReport(tier: Tier): RunReport | undefined {
  try {
    return JSON.parse(readFileSync(reportPath(tier), 'utf8')) as RunReport;
  } catch {
    return undefined;
  }
}

export function removeReport(tier: Tier): void {
  rmSync(reportPath(tier), { force: true });
}

/**
 * The counts of a run by its report and the exit code of the runner. A run that ended badly without a failed test (an error
 * outside all tests) counts as one failure, and so does a run without a report.
 */
export function countsOf(report: RunReport | undefined, exitCode: number): TestCounts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped } = report;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}

export function addCounts(...all: readonly TestCounts[]): TestCounts {
  const sum = (key: keyof TestCounts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
