// The guide to the tests (docs/testing.md) names every end-to-end file, and every file that `npm test` leaves out.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(checkout, 'docs/testing.md'), 'utf8');
const filesOf = (pattern: string) => globSync(pattern, { cwd: checkout }).map((path) => basename(path));

it('says what each end-to-end file proves, and names none that is gone', () => {
  const [, table = ''] = guide.split('| End-to-end file |');
  const named = table.split('\n\n')[0]!.matchAll(/`([\w.-]+\.test\.ts)`/g);
  expect([...named].map(([, name]) => name).sort()).toEqual(filesOf('e2e/*.test.ts').sort());
});

it('says why each long file is behind `npm test`', () => {
  const [, tiers = ''] = guide.split('## What runs when');
  const rows = tiers.split('\n## ')[0]!;
  const left = filesOf('{e2e,packages/*/{src,test}/**}/*.long.test.ts').map((name) => name.replace('.test.ts', ''));
  expect(left.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
});
