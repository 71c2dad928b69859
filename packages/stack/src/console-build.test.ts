import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureConsoleBuild } from './console-build.ts';

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'srs-stack-build-'));
  write('packages/console/src/main.tsx', 'first');
  write('packages/console/index.html', '<html>');
  write('packages/contract/src/index.ts', '');
  write('package-lock.json', '{}');
  // Stands for the build tool: copies the entry into the folder it is told to write.
  write(
    'node_modules/vite/bin/vite.js',
    `const fs = require('node:fs'), out = process.argv[process.argv.indexOf('--outDir') + 1];
     const source = fs.readFileSync('packages/console/src/main.tsx', 'utf8');
     if (source === 'broken') { console.error('main.tsx: syntax error'); process.exit(1); }
     fs.mkdirSync(out); fs.writeFileSync(out + '/index.html', source);`,
  );
});
afterEach(() => rmSync(checkout, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

function built(): string {
  return readFileSync(join(checkout, 'packages/console/dist/index.html'), 'utf8');
}

/** Runs the step and returns what it said; saying nothing means nothing was built. */
async function ensure(): Promise<string[]> {
  const said: string[] = [];
  await ensureConsoleBuild({ checkout, say: (line) => said.push(line) });
  return said;
}

test('builds when no build is there, and not again while nothing changed', async () => {
  expect(await ensure()).toHaveLength(1);
  expect(built()).toBe('first');
  expect(await ensure()).toEqual([]);
});

test.each([
  'packages/console/src/main.tsx',
  'packages/contract/src/index.ts',
  'package-lock.json',
  'packages/console/src/new.css',
])('builds again after a change of %s', async (path) => {
  await ensure();
  write(path, 'changed');
  expect(await ensure()).toHaveLength(1);
});

test('a failed build is refused with its output and leaves the old build in place', async () => {
  await ensure();
  write('packages/console/src/main.tsx', 'broken');
  await expect(ensure()).rejects.toThrow('main.tsx: syntax error');
  expect(built()).toBe('first');
});

test('without the build tool an existing build is used, a missing one refused', async () => {
  await ensure();
  rmSync(join(checkout, 'node_modules'), { recursive: true });
  write('packages/console/src/main.tsx', 'changed');
  expect(await ensure()).toEqual([]);
  rmSync(join(checkout, 'packages/console/dist'), { recursive: true });
  await expect(ensure()).rejects.toThrow('Run npm ci first');
  expect(existsSync(join(checkout, 'packages/console/dist'))).toBe(false);
});
