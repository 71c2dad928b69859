import { expect, it } from 'vitest';
import { limitsOf, limitsTable, withTable } from './limits-table.ts';

const module = `// A module.
import { a } from './a.ts';

/** Largest body, bytes: nobody needs more,
 * ever. */
export const maxBodyBytes = 2 * 1024 ** 2;
/** Most filters, and the longest one, characters. */
const maxFilters = 1_000;
const maxFilterLength = maxFilters + 1;

const maxBare = 3;
/** How to ask. */
const maxOf = (list: number[]) => Math.max(...list);
/** No answer within this time, milliseconds. */
const replyTimeoutMs = 1.5;
`;

it('reads limits with their value and the comment above them', () => {
  const limits = limitsOf('packages/engine/src/x/y.ts', module).map(({ name, value, reason }) => [name, value, reason]);
  expect(limits).toEqual([
    ['maxBodyBytes', '2,097,152', 'Largest body, bytes: nobody needs more, ever.'],
    ['maxFilters', '1,000', 'Most filters, and the longest one, characters.'],
    ['maxFilterLength', '`maxFilters + 1`', 'Most filters, and the longest one, characters.'],
    ['maxBare', '3', ''],
    ['replyTimeoutMs', '1.5', 'No answer within this time, milliseconds.'],
  ]);
});

it('replaces only the text between the markers', () => {
  const marks = ['<!-- limits: written by `node scripts/check-limits.ts --write` -->', '<!-- end of limits -->'];
  const document = `before\n${marks[0]}\n\nold\n\n${marks[1]}\nafter\n`;
  const table = limitsTable(limitsOf('packages/engine/src/x/y.ts', module));
  const written = withTable(document, table);
  expect(written).toBe(`before\n${marks[0]}\n\n${table}\n\n${marks[1]}\nafter\n`);
  expect(withTable(written, table)).toBe(written);
  expect(table).toContain('| `maxBare` | 3 |  | `x/y.ts` |');
  expect(() => withTable('no marks', table)).toThrow('no markers');
});
