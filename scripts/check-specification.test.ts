import { expect, test } from 'vitest';
import { checkCoverage } from './check-specification.ts';

const files: Record<string, string> = {
  'packages/console/src/a.test.ts': "test('it\\'s `fine`', () => {});\ntest('second; with more', () => {});",
};
const check = (document: string) => checkCoverage(document, (path) => files[path]);

test('accepts a statement with existing tests, in any quotes', () => {
  const one = "- A rule. `C/a.test.ts` › it's `fine`";
  expect(check(one)).toEqual({ proven: 1, unproven: 0, problems: [] });
  expect(check(`${one}; \`C/a.test.ts\` › second; with more`).problems).toEqual([]);
});

test.each([
  ['- A rule.', '1: no test proves: A rule.'],
  ['- A rule. `C/b.test.ts` › title', '1: there is no test file C/b.test.ts'],
  ['- A rule. `C/a.test.ts` › second', '1: C/a.test.ts has no test "second"'],
])('reports %s', (line, problem) => {
  expect(check(line).problems).toEqual([problem]);
});

test('counts statements that are not yet proven separately', () => {
  expect(check('- A rule. `C/a.test.ts` › second; with more\n## Not yet proven\n- Another.\n')).toEqual({
    proven: 1,
    unproven: 1,
    problems: [],
  });
});
