import { expect, test } from 'vitest';
import { parseFileHandover, writeFileHandover } from './file-handover.ts';

test.each([
  { path: 'record/a/index.mp4', start: 0, end: 0 },
  { path: 'record/ü ;=,/x', start: 5, end: 2 ** 40 },
])('%o survives writing and parsing', (handover) => {
  expect(parseFileHandover(writeFileHandover(handover))).toEqual(handover);
});

test.each([
  '',
  'x',
  '1-2',
  '1-2 ',
  '2-1 a',
  '-1-2 a',
  '1-2 a b',
  '1-2 %',
  '1-2 a\nb',
  '1.5-2 a',
  `1-${'9'.repeat(16)} a`,
])('%j is rejected', (text) => {
  expect(parseFileHandover(text)).toBeUndefined();
});
