import { expect, test } from 'vitest';
import { commandFor, describeError } from './failure-text.ts';

const module = { project: { name: 'e2e' }, relativeModuleId: 'e2e/matrix.test.ts' };

test('the command repeats the test, whatever its title contains', () => {
  expect(commandFor('quick', module, "FFmpeg (SRT) > plays the viewer's stream")).toBe(
    `npx vitest run --project e2e e2e/matrix.test.ts -t 'FFmpeg \\(SRT\\) plays the viewer'\\''s stream'`,
  );
  expect(commandFor('rest', module)).toBe('TEST_TIER=rest npx vitest run --project e2e e2e/matrix.test.ts');
});

test('an error shows only stack frames of the checkout, and long texts are truncated', () => {
  const stack = [
    'Error: no',
    '    at run (file:///elsewhere/node_modules/vitest/index.js:1:1)',
    `    at ${import.meta.filename}:3:7`,
  ].join('\n');
  const text = describeError({ name: 'Error', message: 'x'.repeat(9_000), stack });
  expect(text.length).toBeLessThan(4_300);
  expect(text).toMatch(/\.\.\.\n {2}at scripts\/test-run\/failure-text\.test\.ts:3:7$/);
});
