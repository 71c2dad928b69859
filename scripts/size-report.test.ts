import { expect, test } from 'vitest';
import { functionSizes } from './size-report.ts';

test('measures functions and methods from the declaration to the closing brace', () => {
  const code = [
    'export async function first(a: number) {',
    '  if (a) {',
    '    return;',
    '  }',
    '}',
    'class A {',
    '  second(): void {',
    '    call();',
    '  }',
    '}',
  ].join('\n');
  expect(functionSizes(code)).toEqual([
    { name: 'first', lines: 5 },
    { name: 'second', lines: 3 },
  ]);
});
