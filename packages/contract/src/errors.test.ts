import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError, type ErrorName, errorCatalogue, errorNameOfCode } from './errors.ts';
import { verbatim } from './refusal-details.ts';

const names = Object.keys(errorCatalogue) as ErrorName[];

describe('the error catalogue', () => {
  it('matches docs/reference/errors.md', () => {
    const text = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| (\d+) \| `(\w+)` \| (\d+) \| (.+?) \| (.+) \|$/gm)];
    const documented = rows.map(([, code, name, httpStatus, message]) => [
      name,
      { code: Number(code), httpStatus: Number(httpStatus), message },
    ]);
    expect(Object.fromEntries(documented)).toEqual(errorCatalogue);
    for (const row of rows) expect(row[5]?.length, row[2]).toBeGreaterThan(5);
  });

  it('has a unique code per name, and 4xx or 5xx statuses', () => {
    expect(new Set(names.map((name) => errorCatalogue[name].code)).size).toBe(names.length);
    for (const name of names) {
      expect(errorCatalogue[name].httpStatus).toBeGreaterThanOrEqual(400);
      expect(errorNameOfCode(errorCatalogue[name].code)).toBe(name);
    }
    expect(errorNameOfCode(-1)).toBeUndefined();
  });

  it('creates errors with message, detail and retry time', () => {
    const error = new AppError('loginThrottled', verbatim('wait'), { retryAfterSeconds: 3 });
    expect(error.message).toBe('too many failed logins from this address, wait and try again: wait');
    expect([error.definition.code, error.retryAfterSeconds]).toEqual([4014, 3]);
  });
});
