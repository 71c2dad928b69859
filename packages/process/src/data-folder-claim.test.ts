import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDataFolder } from './data-folder-claim.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-claim-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('takes over the claim of an exited process and releases it', async () => {
  mkdirSync(join(folder, 'run'));
  const gone = spawn('true');
  await once(gone, 'exit');
  writeFileSync(join(folder, 'run/supervisor.pid'), `${gone.pid}\n`);
  const release = claimDataFolder(folder);
  expect(readFileSync(join(folder, 'run/supervisor.pid'), 'utf8')).toBe(`${process.pid}\n`);
  release();
  expect(existsSync(join(folder, 'run/supervisor.pid'))).toBe(false);
});

test('refuses a data folder in use by a running supervisor', async () => {
  mkdirSync(join(folder, 'run'));
  const holder = spawn('sh', ['-c', 'read line', 'packages/stack/src/main.ts'], { stdio: 'pipe' });
  await once(holder, 'spawn');
  writeFileSync(join(folder, 'run/supervisor.pid'), `${holder.pid}\n`);
  expect(() => claimDataFolder(folder)).toThrow(`already used by a running server (process ${holder.pid})`);
  holder.kill();
});
