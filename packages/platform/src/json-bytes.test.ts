import { expect, test } from 'vitest';
import { jsonBytesOf, withJsonBytes } from './json-bytes.ts';

test('bytes belong to exactly the value they were cached for', () => {
  const rows = withJsonBytes([{ a: 1 }], [Buffer.from('[{"a"'), Buffer.from(':1}]')]);
  expect(Buffer.concat(jsonBytesOf(rows) ?? []).toString()).toBe('[{"a":1}]');
  for (const other of [undefined, null, 1, 'x', [{ a: 1 }]]) expect(jsonBytesOf(other)).toBeUndefined();
});
