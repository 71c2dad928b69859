import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
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
  // A fake build tool, which copies the entry into its output folder.
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

async function ensure(): Promise<string[]> {
  const lines: string[] = [];
  await ensureConsoleBuild({ checkout, say: (line) => lines.push(line) });
  return lines;
}

test('builds when there is no build, and not again while nothing changed', async () => {
  expect(await ensure()).toHaveLength(1);
  expect(built()).toBe('first');
  expect(await ensure()).toEqual([]);
});

test('a checkout whose files were only touched is not rebuilt, with or without the stored file state', async () => {
  await ensure();
  write('packages/console/src/main.tsx', 'first');
  expect(await ensure()).toEqual([]);
  rmSync(join(checkout, 'packages/console/dist/.build-inputs'));
  expect(await ensure()).toEqual([]);
  // The stored hash does not count if the build is missing.
  rmSync(join(checkout, 'packages/console/dist/index.html'));
  expect(await ensure()).toHaveLength(1);
});

test('detects a file with other content of the same length and with its old times', async () => {
  await ensure();
  const path = join(checkout, 'packages/console/src/main.tsx');
  const { atime, mtime } = statSync(path);
  write('packages/console/src/main.tsx', 'other');
  utimesSync(path, atime, mtime);
  expect(await ensure()).toHaveLength(1);
  expect(built()).toBe('other');
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

test('a failed build is refused with its output and keeps the old build', async () => {
  await ensure();
  write('packages/console/src/main.tsx', 'broken');
  await expect(ensure()).rejects.toThrow('main.tsx: syntax error');
  expect(built()).toBe('first');
});

test('a start that is stopped while it builds ends the build', async () => {
  const builders = createServer().listen(0, '127.0.0.1');
  await once(builders, 'listening');
  // A build that never ends. A connection shows that it is running.
  const { port } = builders.address() as AddressInfo;
  write('node_modules/vite/bin/vite.js', `require('node:net').connect(${port}).on('close', () => process.exit());`);
  const start = `import { ensureConsoleBuild } from ${JSON.stringify(import.meta.resolve('./console-build.ts'))};
    process.on('SIGTERM', () => process.exit(0));
    await ensureConsoleBuild({ checkout: process.argv[1], say: () => undefined });`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', start, checkout], { stdio: 'inherit' });
  const [builder] = (await once(builders, 'connection')) as [Socket];
  builder.resume();
  starter.kill('SIGTERM');
  await once(builder, 'close');
  builders.close();
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
