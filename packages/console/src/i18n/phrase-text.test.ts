import { expect, test } from 'vitest';
import { phraseText } from './phrase-text.ts';

const known: Record<string, string> = { plain: 'fertig', pair: '{{a}} und {{b}}', list: 'Teile: {{parts}}' };
const texts = {
  has: (key: string) => key in known,
  format: (key: string, values: Record<string, string | number>) =>
    known[key]!.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name])),
  separator: '、',
};
const textOf = (key: string, values: Record<string, unknown> = {}) => phraseText({ key, values }, texts);
const plain = { key: 'plain', values: {} };

test('values are filled in, and nested phrases are translated too', () => {
  expect(textOf('plain')).toBe('fertig');
  expect(textOf('pair', { a: 1, b: 'x' })).toBe('1 und x');
  expect(textOf('pair', { a: plain, b: 0 })).toBe('fertig und 0');
  expect(textOf('list', { parts: [plain, { key: 'pair', values: { a: 1, b: 2 } }] })).toBe('Teile: fertig、1 und 2');
  expect(textOf('list', { parts: [] })).toBe('Teile: ');
});

test('a phrase of a newer server is not translated in part', () => {
  expect(textOf('other')).toBeUndefined();
  expect(textOf('pair', { a: { key: 'other', values: {} }, b: 1 })).toBeUndefined();
  expect(textOf('list', { parts: [plain, { key: 'other', values: {} }] })).toBeUndefined();
  expect(textOf('pair', { a: { strange: true }, b: 1 })).toBeUndefined();
  expect(textOf('pair', { a: null, b: 1 })).toBeUndefined();
});

test('endlessly nested phrases are rejected', () => {
  const endless = { key: 'list', values: {} as Record<string, unknown> };
  endless.values.parts = [endless];
  expect(phraseText(endless, texts)).toBeUndefined();
});
