// Counts of a test run, from the JSON report of the test runner.

/** The part of the report that is used. */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Counts tests; a file that could not even be loaded counts as one failure. A run that ended badly without a failed
 * test (an error outside all tests) counts as one failure too, and so does a run without a report.
 */
export function countTests(report: TestReport | undefined, exitCode: number): TestCounts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
