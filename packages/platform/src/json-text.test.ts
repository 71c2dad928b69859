import { expect, test } from 'vitest';
import { jsonTextOf, withJsonText } from './json-text.ts';

test('a remembered text is used, everything else is written', () => {
  const rows = withJsonText([{ a: 1 }], '[{"a":1}]');
  expect(jsonTextOf(rows)).toBe('[{"a":1}]');
  expect([undefined, null, 1, 'x', [{ b: 2 }]].map(jsonTextOf)).toEqual(['null', 'null', '1', '"x"', '[{"b":2}]']);
});
