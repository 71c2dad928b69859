import { expect, it } from 'vitest';
import { createHandleShortage } from './handle-shortage.ts';

it('reports file handle shortages at a limited rate, and no other error', () => {
  const lines: object[] = [];
  let nowMs = 0;
  const shortage = createHandleShortage({ error: (fields) => lines.push(fields) }, () => nowMs);
  expect(shortage.report(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe(false);
  expect(shortage.report(undefined)).toBe(false);
  const full = Object.assign(new Error('accept'), { code: 'EMFILE' });
  for (let count = 0; count < 1_000; count++) expect(shortage.report(full)).toBe(true);
  expect(lines).toHaveLength(3);
  nowMs = 10_000;
  shortage.report(Object.assign(new Error('open'), { code: 'ENFILE' }));
  expect(lines.at(-1)).toEqual({ code: 'ENFILE', omitted: 997 });
});
