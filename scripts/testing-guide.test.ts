// The testing guide (docs/development/testing.md) lists every end-to-end file, the core of `npm test`, and every long file.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { coreEndToEnd } from './test-run/test-tiers.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(checkout, 'docs/development/testing.md'), 'utf8');
const filesOf = (pattern: string) => globSync(pattern, { cwd: checkout }).map((path) => basename(path));

it('describes each end-to-end file, and lists only existing ones', () => {
  const [, table = ''] = guide.split('| End-to-end file |');
  const named = table.split('\n\n')[0]!.matchAll(/`([\w.-]+\.test\.ts)`/g);
  expect([...named].map(([, name]) => name).sort()).toEqual(filesOf('e2e/*.test.ts').sort());
});

it('lists the end-to-end files that `npm test` runs', () => {
  const row = guide.split('\n').find((line) => line.includes('the core of end-to-end files:'));
  const named =
    row
      ?.split('|')[2]
      ?.split(';')[0]
      ?.matchAll(/`([\w.-]+)`/g) ?? [];
  expect([...named].map(([, name]) => `e2e/${name}.test.ts`)).toEqual(coreEndToEnd);
});

it('gives the reason for each long file', () => {
  const [, tiers = ''] = guide.split('## What runs when');
  const rows = tiers.split('\n## ')[0]!;
  const left = filesOf('{e2e,packages/*/{src,test}/**}/*.long.test.ts').map((name) => name.replace('.test.ts', ''));
  expect(left.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
});
