import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMemoryFolder } from './memory-folder.ts';

/** Larger than any process id. */
const unusedPid = 2 ** 30;
const enough = 64 * 1024 ** 3;
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'memory-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

it('is created, and removed with its content', () => {
  const folder = openMemoryFolder({ parent, freeBytes: enough })!;
  mkdirSync(join(folder.path, 'of a test'));
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

it('is not created when memory is short, or without such a file system', () => {
  expect(openMemoryFolder({ parent, freeBytes: 1024 ** 3 })).toBeUndefined();
  expect(openMemoryFolder({ parent: join(parent, 'absent'), freeBytes: enough })).toBeUndefined();
});

it('removes the folders of killed runs, and nothing else', () => {
  const [left, running, other] = [`srs-stack-${unusedPid}`, `srs-stack-${process.ppid}`, 'srs-stack-notes'];
  for (const name of [left, running, other]) mkdirSync(join(parent, name));
  openMemoryFolder({ parent, freeBytes: 0 });
  expect([left, running, other].filter((name) => existsSync(join(parent, name)))).toEqual([running, other]);
});
