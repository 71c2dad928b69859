import { expect, test } from 'vitest';
import { countTests, type TestReport } from './test-summary.ts';

const clean: TestReport = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [],
};

test.each([
  ['a clean run', clean, 0, { passed: 3, failed: 0, skipped: 2 }],
  ['a failed test', { ...clean, numFailedTests: 2 }, 1, { passed: 3, failed: 2, skipped: 2 }],
  ['an error outside all tests', clean, 1, { passed: 3, failed: 1, skipped: 2 }],
  ['no report', undefined, 1, { passed: 0, failed: 1, skipped: 0 }],
  [
    'a file that does not load',
    { ...clean, testResults: [{ status: 'failed', assertionResults: [] }] },
    1,
    { passed: 3, failed: 1, skipped: 2 },
  ],
])('%s', (_name, report, exitCode, counts) => {
  expect(countTests(report, exitCode)).toEqual(counts);
});
