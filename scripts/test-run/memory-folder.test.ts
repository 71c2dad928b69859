import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMemoryFolder } from './memory-folder.ts';

/** Ids of processes end far below. */
const nobody = 2 ** 30;
const enough = 64 * 1024 ** 3;
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'memory-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

it('is made and removed with what is in it', () => {
  const folder = openMemoryFolder({ parent, freeBytes: enough })!;
  mkdirSync(join(folder.path, 'of a test'));
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

it('is not made where memory is short, or there is no such file system', () => {
  expect(openMemoryFolder({ parent, freeBytes: 1024 ** 3 })).toBeUndefined();
  expect(openMemoryFolder({ parent: join(parent, 'absent'), freeBytes: enough })).toBeUndefined();
});

it('takes away what a run that was killed has left, and nothing else', () => {
  const [left, running, other] = [`srs-stack-${nobody}`, `srs-stack-${process.ppid}`, 'srs-stack-notes'];
  for (const name of [left, running, other]) mkdirSync(join(parent, name));
  openMemoryFolder({ parent, freeBytes: 0 });
  expect([left, running, other].filter((name) => existsSync(join(parent, name)))).toEqual([running, other]);
});
