import { expect, test } from 'vitest';
import {
  addCounts,
  countsAfterAgain,
  countsOf,
  type FailedFile,
  filesToRunAgain,
  type RunReport,
} from './run-report.ts';

const clean: RunReport = {
  passed: 3,
  failed: 0,
  skipped: 2,
  files: [],
  secondAttempts: [],
  failedFiles: [],
  notFinished: [],
  errorsOutside: 0,
};
const failedFile = (path: string): FailedFile => ({
  project: 'e2e',
  path,
  counts: { passed: 1, failed: 1, skipped: 0 },
});

test.each([
  ['a clean run', clean, 0, { passed: 3, failed: 0, skipped: 2 }],
  [
    'a run that had no time for a file',
    { ...clean, notFinished: ['e2e/a.test.ts'] },
    1,
    { passed: 3, failed: 0, skipped: 2 },
  ],
  ['a failed test', { ...clean, failed: 2 }, 1, { passed: 3, failed: 2, skipped: 2 }],
  ['an error outside all tests', clean, 1, { passed: 3, failed: 1, skipped: 2 }],
  ['both', { ...clean, failed: 2, errorsOutside: 1 }, 1, { passed: 3, failed: 3, skipped: 2 }],
  ['no report', undefined, 0, { passed: 0, failed: 1, skipped: 0 }],
])('%s', (_name, report, exitCode, counts) => {
  expect(countsOf(report, exitCode)).toEqual(counts);
});

test('adds the counts of several runs', () => {
  const sum = addCounts({ passed: 3, failed: 0, skipped: 1 }, { passed: 4, failed: 2, skipped: 0 });
  expect(sum).toEqual({ passed: 7, failed: 2, skipped: 1 });
});

test('a few failed files run again, and the second result counts', () => {
  const files = [failedFile('e2e/a.test.ts'), failedFile('e2e/b.test.ts')];
  const first = { ...clean, passed: 10, failed: 2, failedFiles: files };
  expect(filesToRunAgain(first)).toEqual(files);
  const again = { passed: 3, failed: 1, skipped: 0 };
  expect(countsAfterAgain(countsOf(first, 1), files, again)).toEqual({ passed: 11, failed: 1, skipped: 2 });
});

test('an error outside all tests remains a failure after a second run', () => {
  const first = { ...clean, failed: 1, errorsOutside: 1, failedFiles: [failedFile('e2e/a.test.ts')] };
  const again = { passed: 2, failed: 0, skipped: 0 };
  expect(countsAfterAgain(countsOf(first, 1), filesToRunAgain(first), again).failed).toBe(1);
});

test('many failed files do not run again', () => {
  const failedFiles = Array.from({ length: 13 }, (_, index) => failedFile(`e2e/${index}.test.ts`));
  expect(filesToRunAgain({ ...clean, failed: 13, failedFiles })).toEqual([]);
  expect(filesToRunAgain(undefined)).toEqual([]);
});
