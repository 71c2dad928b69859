import { expect, test } from 'vitest';
import { compareErrorTable, environmentVariables, missingWords, repeatedCodes } from './check-catalogues.ts';

const catalogue = { notFound: { code: 4004, httpStatus: 404, message: 'not found' } };

test.each([
  ['| 4004 | `notFound` | 404 | text |', []],
  ['', ['docs/reference/errors.md has no line for 4004 notFound']],
  [
    '| 4005 | `notFound` | 404 | text |',
    ['docs/reference/errors.md has another code or status for notFound: expected 4004, 404'],
  ],
  [
    '| 4004 | `notFound` | 404 | x |\n| 1 | `gone` | 404 | x |',
    ['docs/reference/errors.md names gone, which is not in the catalogue'],
  ],
])('error table %j: %j', (table, problems) => {
  expect(compareErrorTable(catalogue, table)).toEqual(problems);
});

test('reports a code that occurs twice', () => {
  expect(repeatedCodes({ ...catalogue, gone: { ...catalogue.notFound } })).toEqual(['error code 4004 occurs twice']);
});

test('finds the environment variables that a file reads', () => {
  expect(environmentVariables("text('HLS_PATH'); source.MGMT_PASSWORD;\n  LOG_LEVEL: 'info', const maxBytes")).toEqual([
    'HLS_PATH',
    'MGMT_PASSWORD',
    'LOG_LEVEL',
  ]);
});

test('compares whole words', () => {
  expect(missingWords(['init', 'login'], 'initialise login')).toEqual(['init']);
});
