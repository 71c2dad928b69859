import { expect, test } from 'vitest';
import { describeTimes, knownTimes, updateTable } from './known-times.ts';

test('files missing in the table count as short, end-to-end files as average', () => {
  const secondsOf = knownTimes({ 'e2e e2e/a.test.ts': 41 });
  const files = ['e2e e2e/a.test.ts', 'e2e e2e/new.test.ts', 'unit new.test.ts'];
  expect(files.map(secondsOf)).toEqual([41, 40, 1]);
});

test('a run replaces the rows of its own files, drops short ones and keeps the rest, sorted by name', () => {
  const before = { 'unit short.test.ts': 9, 'e2e kept.test.ts': 30, 'e2e b.test.ts': 10 };
  const times = [
    { file: 'unit short.test.ts', seconds: 1.2 },
    { file: 'e2e b.test.ts', seconds: 12.4 },
    { file: 'e2e a.test.ts', seconds: 7.6 },
  ];
  const after = updateTable(before, times);
  expect(Object.entries(after)).toEqual([
    ['e2e a.test.ts', 8],
    ['e2e b.test.ts', 12],
    ['e2e kept.test.ts', 30],
  ]);
});

test('the printed table starts with the longest', () => {
  const lines = describeTimes([
    { file: 'unit a', seconds: 1 },
    { file: 'e2e b', seconds: 20.04 },
  ]);
  expect(lines).toEqual(['   20.0 s  e2e b', '    1.0 s  unit a']);
});
