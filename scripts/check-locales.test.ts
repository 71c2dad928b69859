import { expect, test } from 'vitest';
import { compareTexts, unknownKeys } from './check-locales.ts';

const names = ['zh', 'en'] as const;

test('accepts equal keys and placeholders, whatever the text', () => {
  expect(compareTexts({ a: { b: '你好 {{name}}' } }, { a: { b: 'Hello {{name}}' } }, names)).toEqual([]);
});

test('counts plural forms as one text', () => {
  expect(compareTexts({ n_other: '{{count}}' }, { n_one: '{{count}}', n_other: '{{count}}' }, names)).toEqual([]);
});

test.each([
  [{ a: 'x', b: 'x' }, { a: 'x' }, 'b is missing in en'],
  [{ a: 'x' }, { a: 'x', b: { c: 'x' } }, 'b.c is missing in zh'],
  [{ a: 'x {{n}}' }, { a: 'x' }, 'a has different placeholders'],
  [{ a: 'x <bold>y</bold>' }, { a: 'x y' }, 'a has different placeholders'],
  [{ a: ' ' }, { a: 'x' }, 'a is empty'],
])('%j against %j: %s', (left, right, problem) => {
  expect(compareTexts(left, right, names)).toEqual([problem]);
});

test('finds keys of the console that do not exist', () => {
  const texts = new Map([['records', { title: 'x', row: { count_other: 'x' } }]]);
  const code = "press('records:title', 'records:row.count', 'records:told.removed'); connect('rtmp:live')";
  expect(unknownKeys(code, texts)).toEqual(['records:told.removed']);
});
