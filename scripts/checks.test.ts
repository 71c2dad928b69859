import { expect, test } from 'vitest';
import { type CheckResult, describeResult, runChecks } from './checks.ts';

test('runs every check, reports which failed and keeps its output', async () => {
  const heard: CheckResult[] = [];
  const results = await runChecks(
    [
      { name: 'good', command: ['node', '-e', ''] },
      { name: 'bad', command: ['node', '-e', 'console.log("line 3: wrong"); process.exit(2)'] },
      { name: 'absent', command: ['no-such-program'] },
    ],
    (result) => heard.push(result),
  );
  const outcome = new Map(results.map(({ name, passed }) => [name, passed]));
  expect(outcome).toEqual(new Map(Object.entries({ good: true, bad: false, absent: false })));
  expect(heard).toHaveLength(3);
  expect(describeResult(results.find(({ name }) => name === 'bad')!)).toMatch(
    /^✗ bad \(.*\): npx node .*\n {4}line 3: wrong$/,
  );
});
