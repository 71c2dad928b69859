import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  behindQuick,
  consolePatterns,
  coreEndToEnd,
  endToEndPatterns,
  filesBehindQuick,
  inBothTiers,
  selectedFiles,
  selectionOf,
  tiersOf,
  unitPatterns,
} from './test-tiers.ts';

const checkout = join(import.meta.dirname, '../..');
const patterns = [...unitPatterns, ...endToEndPatterns, ...consolePatterns];

it('assigns every test file to exactly one tier, and files of both tiers to both', () => {
  const all = globSync('{packages,scripts,fuzz,e2e,bench,examples}/**/*.test.{ts,tsx}', {
    cwd: checkout,
    exclude: ['**/node_modules'],
  });
  const runs = [...selectedFiles(patterns, 'quick'), ...selectedFiles(patterns, 'rest')];
  expect(runs.sort()).toEqual([...all, ...inBothTiers].sort());
});

it('names only files that exist', () => {
  const named = [...coreEndToEnd, ...inBothTiers, ...behindQuick];
  expect(named.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
  expect(new Set(named).size).toBe(coreEndToEnd.length + behindQuick.length);
});

it('finds every file without a tier, except long ones', () => {
  const any = selectedFiles(patterns, 'any');
  expect(any).toContain('e2e/gallery.test.ts');
  expect(any.filter((path) => path.includes('.long.'))).toEqual([]);
  expect([{}, { TEST_TIER: '' }, { TEST_TIER: 'rest' }].map((env) => selectionOf(env))).toEqual(['any', 'any', 'rest']);
});

it('assigns long, expensive and non-core end-to-end files to test:rest', () => {
  expect(tiersOf('packages/rtc/test/native.long.test.ts')).toEqual(['rest']);
  expect(tiersOf('packages/srt/test/interop.test.ts')).toEqual(['rest']);
  expect(tiersOf('e2e/webrtc.test.ts')).toEqual(['rest']);
  expect(tiersOf('e2e/callbacks.test.ts')).toEqual(['quick']);
  expect(tiersOf('e2e/forward.test.ts')).toEqual(['quick', 'rest']);
  expect(tiersOf('e2e/matrix.test.ts')).toEqual(['quick', 'rest']);
  expect(tiersOf('e2e/support/chromium.test.ts')).toEqual(['quick']);
  expect(filesBehindQuick()).not.toContain('e2e/console.test.ts');
});
