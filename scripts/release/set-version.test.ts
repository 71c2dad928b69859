import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { setLockVersion, setManifestVersion } from './set-version.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
const manifests = ['package.json', ...globSync('{packages/*,bench}/package.json', { cwd: checkout })];
const { version } = JSON.parse(read('package.json')) as { version: string };

const changedLines = (before: string, after: string) => {
  const lines = before.split('\n');
  return after.split('\n').filter((line, index) => line !== lines[index]);
};

test.each(manifests)('%s: changes only its own version and those of workspace packages', (path) => {
  const changed = changedLines(read(path), setManifestVersion(read(path), '77.1.2'));
  expect(changed.length).toBeGreaterThan(0);
  for (const line of changed) expect(line).toMatch(/^ +"(version|@srs-stack\/[a-z]+)": "77\.1\.2",?$/);
  expect(setManifestVersion(read(path), version)).toBe(read(path));
});

test('the lockfile changes only the versions of the root and the workspaces', () => {
  const lock = read('package-lock.json');
  const text = setLockVersion(lock, '77.1.2');
  const { packages } = JSON.parse(text) as { packages: Record<string, { version: string }> };
  for (const path of manifests) expect(packages[path.replace(/\/?package\.json$/, '')]?.version).toBe('77.1.2');
  for (const line of changedLines(lock, text)) expect(line).toMatch(/^ +"(version|@srs-stack\/[a-z]+)": "77\.1\.2",?$/);
  expect(setLockVersion(lock, version)).toBe(lock);
});
