import { parseEnv } from 'node:util';
import { AppError } from '@srs-stack/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withPassword } from './env-file.ts';

describe('the settings file', () => {
  it('keeps every other line unchanged and replaces every password line', () => {
    const before = [
      '# c',
      'A=1',
      "  export MGMT_PASSWORD = 'old'",
      'B="x y" # c',
      '',
      'MGMT_PASSWORD=older',
      'MGMT_PASSWORDS=z',
    ].join('\n');
    expect(withPassword(before, 'new')).toBe('# c\nA=1\nB="x y" # c\n\nMGMT_PASSWORDS=z\nMGMT_PASSWORD=new\n');
    expect(withPassword('', 'a b')).toBe("MGMT_PASSWORD='a b'\n");
    expect(withPassword('A=1\r\n', 'x')).toBe('A=1\r\nMGMT_PASSWORD=x\n');
  });

  it('stores every accepted password, and never changes another variable', () => {
    const other = fc.constantFrom(
      '',
      'A=1',
      "A='x # y'\nB=2",
      'A="multi\nline"\nC=3',
      "MGMT_PASSWORD='x'\nD=4",
      '#MGMT_PASSWORD=no',
    );
    const password = fc.oneof(
      fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
      fc.string({
        minLength: 1,
        maxLength: 12,
        unit: fc.constantFrom("'", '"', '`', '#', '=', '\\', 'n', '$', '\n', '\r', ' ', 'a'),
      }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(other, password, (before, value) => {
        try {
          const after = parseEnv(withPassword(before, value));
          expect(after).toEqual({ ...parseEnv(before), MGMT_PASSWORD: value });
          accepted += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).errorName).toBe('passwordUnusable');
        }
      }),
      { numRuns: 2_000, seed: 4 },
    );
    expect(accepted).toBeGreaterThan(1_000);
  });

  it('is not written when other lines would change', () => {
    expect(() => withPassword('A="x\nMGMT_PASSWORD=trap\ny"\n', 'new')).toThrow(AppError);
  });
});
