import { expect, test } from 'vitest';
import { addCounts, countsOf, type RunReport } from './run-report.ts';

const clean: RunReport = { passed: 3, failed: 0, skipped: 2, files: [], secondAttempts: [] };

test.each([
  ['a clean run', clean, 0, { passed: 3, failed: 0, skipped: 2 }],
  ['a failed test', { ...clean, failed: 2 }, 1, { passed: 3, failed: 2, skipped: 2 }],
  ['an error outside all tests', clean, 1, { passed: 3, failed: 1, skipped: 2 }],
  ['no report', undefined, 0, { passed: 0, failed: 1, skipped: 0 }],
])('%s', (_name, report, exitCode, counts) => {
  expect(countsOf(report, exitCode)).toEqual(counts);
});

test('counts of several runs are added', () => {
  const sum = addCounts({ passed: 3, failed: 0, skipped: 1 }, { passed: 4, failed: 2, skipped: 0 });
  expect(sum).toEqual({ passed: 7, failed: 2, skipped: 1 });
});
