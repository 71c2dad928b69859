// The README of every package lists its entry, modules and rules; the test finds modules that are new or have moved.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

test.each(readdirSync(packages))('the README of %s lists all its modules, and only existing ones', (name) => {
  const text = readFileSync(join(packages, name, 'README.md'), 'utf8');
  const rooms = readdirSync(join(packages, name, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map((entry) => entry.name);
  expect(rooms.filter((room) => !text.includes(`src/${room}/`))).toEqual([]);
  const named = [...text.matchAll(/(?<![\w/])src\/[\w./-]*\w/g)].map(([path]) => path);
  expect(named.filter((path) => !existsSync(join(packages, name, path)))).toEqual([]);
});
